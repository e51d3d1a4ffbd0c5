import type { ReactNode } from 'react';

import { gaps } from '../../../SPEC_GAPS.md';
import { useTranslate } from '../../ui/extension.ts';
import styles from './aside.module.css';
import { findGap } from './filter.ts';
import { PointGrid } from './points.tsx';
import type { GapId } from './spec-gaps.ts';

/** Returns the grid of the nine points for the sidebar next to a point. The overview shows the points itself. */
export function showPoints(part: string | undefined): ReactNode {
  const gap = findGap(part);
  return gap && <PointsAside current={gap.id} />;
}

function PointsAside({ current }: { readonly current: GapId }) {
  const t = useTranslate();
  return (
    <nav aria-label={t('points')} className={styles['points']}>
      <PointGrid points={gaps} current={current} look={styles} />
    </nav>
  );
}
