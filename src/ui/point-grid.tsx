import type { ReactNode } from 'react';

import type { GapId, Point } from '../contract/spec-gaps.ts';
import { PointCell } from './point-cell.tsx';
import type { GridLook, LinkTarget } from './point-cell.tsx';

interface PointGridProps {
  readonly points: readonly Point[];
  /** The point that the page shows now. */
  readonly current?: GapId | undefined;
  readonly look: GridLook;
  readonly linkTo: (id: GapId) => LinkTarget;
  /** Further items, below the cells. */
  readonly children?: ReactNode;
}

/** The picture of this project: one cell for each point, dashed while it is open and solid once it is specified. */
export function PointGrid({ points, current, look, linkTo, children }: PointGridProps) {
  return (
    <ol className={look['grid']}>
      {points.map((point) => (
        <li key={point.id} className={look['place']}>
          <PointCell point={point} isCurrent={point.id === current} look={look} link={linkTo(point.id)} />
        </li>
      ))}
      {children}
    </ol>
  );
}
