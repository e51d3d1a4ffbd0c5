import type { GapId, Point } from '../contract/spec-gaps.ts';
import { PointCell } from './point-cell.tsx';
import type { LinkTarget } from './point-cell.tsx';
import styles from './point-grid.module.css';
import { useTranslate } from './use-translate.ts';

interface PointGridProps {
  readonly points: readonly Point[];
  /** The point that the page shows now. */
  readonly current?: GapId | undefined;
  /** `titles`: each cell says its title. `numbers`: small cells; the title of the one in hand is below the grid. */
  readonly label: 'titles' | 'numbers';
  readonly linkTo: (id: GapId) => LinkTarget;
}

/** The picture of this project: one cell for each point, dashed while it is open and solid once it is specified. */
export function PointGrid({ points, current, label, linkTo }: PointGridProps) {
  const t = useTranslate();
  return (
    <ol className={styles['grid']} data-label={label}>
      {points.map((point) => (
        <li key={point.id} className={styles['place']}>
          <PointCell point={point} isCurrent={point.id === current} link={linkTo(point.id)} />
        </li>
      ))}
      {label === 'numbers' && (
        <li aria-hidden="true" className={styles['caption']}>
          {t('points')}
        </li>
      )}
    </ol>
  );
}
