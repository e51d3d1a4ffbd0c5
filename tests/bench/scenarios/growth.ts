import type { Comparison, Scenario } from '../comparison.ts';
import { contenderFor } from '../contender-for.ts';
import { quantile } from '../quantile.ts';
import { runRounds } from '../run-rounds.ts';
import type { Series } from '../run-rounds.ts';

const CROWDS = [1, 8, 64, 256];

/**
 * The same query with ever more clients, each with a port and a live subscription of its own, that take turns in asking.
 * A client cannot be taken away again, so the crowds cannot take turns as contenders: each is measured beside the raw
 * port, whose one port stays alone, and in units of it.
 */
export const growth: Scenario = async (browser, effort) => {
  const load = { bytes: 100, samples: 256 };
  const contenders = [
    contenderFor('clients', browser.client, 'crowd', load),
    contenderFor('raw port', browser.raw, 'port', load),
  ];

  const crowds: Series[] = [];
  for (const size of CROWDS) {
    await browser.client.evaluate((count) => openClients(count), size);
    const [crowd, raw] = await runRounds(contenders, Math.ceil(12 * effort), 4);
    if (crowd !== undefined && raw !== undefined) crowds.push(inUnitsOf(raw, crowd, `${size} clients`));
  }

  const [one, ...others] = crowds;
  if (one === undefined) return [];
  return others.map((measured): Comparison => ({
    scenario: 'growth',
    unit: '× raw port',
    measured,
    against: one,
    goal: { most: 1.2 },
  }));
};

function inUnitsOf(unit: Series, { rounds }: Series, name: string): Series {
  return {
    name,
    rounds: rounds.map((samples, round) => {
      const divisor = quantile(unit.rounds[round] ?? [], 0.5);
      return samples.map((sample) => sample / divisor);
    }),
  };
}
