import type { Comparison } from './comparison.ts';
import { judge } from './judge.ts';
import { quantile } from './quantile.ts';
import type { Series } from './run-rounds.ts';

const HEAD = ['scenario', 'measured: p50 / p95 / p99', 'against: p50 / p95 / p99', 'result', 'goal', 'holds'];

/** The comparisons as a table in Markdown. */
export function renderTable(comparisons: readonly Comparison[]): string {
  const rows = [HEAD, HEAD.map(() => '---'), ...comparisons.map(toCells)];
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toCells(comparison: Comparison): string[] {
  const { scenario, unit, measured, against, isRate, goal } = comparison;
  const { result, holds } = judge(comparison);
  const suffix = against === undefined ? ` ${unit}` : `×${isRate === true ? ' calls/s' : ''}`;
  return [
    scenario,
    describe(measured, unit),
    against === undefined ? '' : describe(against, unit),
    `${result.toFixed(2)}${suffix}`,
    'most' in goal ? `<= ${goal.most}` : `>= ${goal.least}`,
    holds ? 'yes' : '**no**',
  ];
}

function describe({ name, rounds }: Series, unit: Comparison['unit']): string {
  const samples = rounds.flat();
  if (unit === 'kB' || unit === 'shift') return name;
  const values = [0.5, 0.95, 0.99].map((share) => quantile(samples, share).toPrecision(3));
  return `${name}: ${values.join(' / ')} ${unit}`;
}
