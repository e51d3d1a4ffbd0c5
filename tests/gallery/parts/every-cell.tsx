import { points } from '../../../SPEC_GAPS.md';
import type { GapStatus, Point } from '../../../src/contract/spec-gaps.ts';
import { PointGrid } from '../../../src/ui/point-grid.tsx';
import { useTranslate } from '../../../src/ui/use-translate.ts';

/** Every second point has been answered here, so that each status can be looked at beside the other. */
const statuses = ['specified', 'open'] as const satisfies readonly GapStatus[];

const mixed = points.map(({ id, number, title, status }, index): Point => ({
  id,
  number,
  title,
  status: statuses[index % statuses.length] ?? status,
}));

export function EveryCell() {
  const t = useTranslate();
  return (['titles', 'numbers'] as const).map((label) => (
    <nav key={label} aria-label={`${t('points')}, ${label}`} className={`specimen-${label}`}>
      <PointGrid points={mixed} current="entities" label={label} linkTo={(id) => ({ href: `#${id}` })} />
    </nav>
  ));
}
