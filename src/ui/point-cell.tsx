import type { ComponentProps } from 'react';

import type { GapStatus, Point } from '../contract/spec-gaps.ts';
import { formatDigits } from './format-digits.ts';
import type { MessageKey } from './translate.ts';
import { useTranslate } from './use-translate.ts';

/** Where a cell leads. */
export type LinkTarget = Pick<ComponentProps<'a'>, 'href' | 'target' | 'onClick'>;

/** Classes for `grid`, `place`, `cell`, `number` and `title`, composed of those in `point-grid.module.css`. */
export type GridLook = Readonly<Record<string, string>>;

interface PointCellProps {
  readonly point: Point;
  readonly isCurrent: boolean;
  readonly look: GridLook;
  readonly link: LinkTarget;
}

const statusTexts = {
  open: 'point_open',
  specified: 'point_specified',
} as const satisfies Record<GapStatus, MessageKey>;

/** One point, as a link to all that is said of it. */
export function PointCell({ point: { number, title, status }, isCurrent, look, link }: PointCellProps) {
  const t = useTranslate();
  return (
    <a {...link} className={look['cell']} data-status={status} aria-current={isCurrent ? 'page' : undefined}>
      <span className={look['number']}>{formatDigits(number, t)}</span>{' '}
      <span className={look['title']}>{title}</span>{' '}
      <span className="visually-hidden">{t(statusTexts[status])}</span>
    </a>
  );
}
