import type { ComponentProps } from 'react';

import type { GapStatus, Point } from '../contract/spec-gaps.ts';
import { formatDigits } from './format-digits.ts';
import styles from './point-grid.module.css';
import type { MessageKey } from './translate.ts';
import { useTranslate } from './use-translate.ts';

/** Where a cell leads. */
export type LinkTarget = Pick<ComponentProps<'a'>, 'href' | 'target' | 'onClick'>;

interface PointCellProps {
  readonly point: Point;
  readonly isCurrent: boolean;
  readonly link: LinkTarget;
}

const statusTexts = {
  open: 'point_open',
  specified: 'point_specified',
} as const satisfies Record<GapStatus, MessageKey>;

/** One point, as a link to all that is said of it. */
export function PointCell({ point: { number, title, status }, isCurrent, link }: PointCellProps) {
  const t = useTranslate();
  return (
    <a
      {...link}
      className={styles['cell']}
      data-status={status}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <span className={styles['number']}>{formatDigits(number, t)}</span>{' '}
      <span className={styles['title']}>{title}</span>{' '}
      <span className="visually-hidden">{t(statusTexts[status])}</span>
    </a>
  );
}
