import { points } from '../../../SPEC_GAPS.md';
import type { GapStatus, Point } from '../../../src/contract/spec-gaps.ts';
import numbers from '../../../src/options/options.module.css';
import { PointGrid } from '../../../src/ui/points.tsx';
import { useTranslate } from '../../../src/ui/extension.ts';

/** Every second point has been answered here, so that each status can be looked at beside the other. */
const statuses = ['specified', 'open'] as const satisfies readonly GapStatus[];

const mixed = points.map(({ id, number, title, status }, index): Point => ({
  id,
  number,
  title,
  status: statuses[index % statuses.length] ?? status,
}));

const titles = { grid: 'tiles', cell: 'tile', title: 'title' };

export function EveryCell() {
  const t = useTranslate();
  return Object.entries({ titles, numbers }).map(([label, look]) => (
    <nav key={label} aria-label={`${t('points')}, ${label}`} className={`specimen-${label}`}>
      <PointGrid points={mixed} current="entities" look={look} linkTo={(id) => ({ href: `#${id}` })} />
    </nav>
  ));
}
