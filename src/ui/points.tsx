import type { ComponentProps, ReactNode } from 'react';

import { gapIds } from '../contract/spec-gaps.ts';
import type { GapId, GapStatus, Point } from '../contract/spec-gaps.ts';
import { CallResult } from './background-status.tsx';
import { useQuery } from './calls.ts';
import { useTranslate } from './extension.ts';
import { formatNumber } from './text.ts';
import type { MessageKey } from './text.ts';

/** The address of a point within the options page: a hash, so that each point can be linked to. */
export function pointAddress(id: GapId): string {
  return `#/specification/${id}`;
}

/** Where a cell leads. */
export type LinkTarget = Pick<ComponentProps<'a'>, 'href' | 'target' | 'onClick'>;

interface PointGridProps {
  readonly points: readonly Point[];
  /** The point that the page shows now. */
  readonly current?: GapId | undefined;
  /** Classes of the view that say how large these are and where they stand. */
  readonly look: { readonly grid?: string; readonly cell?: string; readonly title?: string };
  readonly linkTo: (id: GapId) => LinkTarget;
  /** Further items, below the cells. */
  readonly children?: ReactNode;
}

const statusTexts = {
  open: 'point_open',
  specified: 'point_specified',
} as const satisfies Record<GapStatus, MessageKey>;

/** The picture of this project: one cell for each point, dashed while it is open and solid once it is specified. */
export function PointGrid({ points, current, look, linkTo, children }: PointGridProps) {
  const t = useTranslate();
  return (
    <ol className={look.grid}>
      {points.map(({ id, number, title, status }) => (
        <li key={id}>
          <a
            {...linkTo(id)}
            className={`cell ${look.cell}`}
            data-status={status}
            aria-current={id === current ? 'page' : undefined}
          >
            <span className="number">{formatNumber(number, t('text_language'))}</span>{' '}
            <span className={look.title}>{title}</span>{' '}
            <span className="visually-hidden">{t(statusTexts[status])}</span>
          </a>
        </li>
      ))}
      {children}
    </ol>
  );
}

/** How many points are specified, as the background says. */
export function SpecifiedSummary() {
  const t = useTranslate();
  const specified = useQuery('points.specified');
  const format = (count: number): string => formatNumber(count, t('text_language'));

  return (
    <CallResult state={specified} loading={t('points_specified_loading')}>
      {({ length }) => (
        <p ref={markFirstData} role="status">
          {t('points_specified', { number: format(length), total: format(gapIds.length) })}
        </p>
      )}
    </CallResult>
  );
}

/** Notes in the page's timeline when its first answer was rendered: `npm run bench` reads it. */
function markFirstData(element: Element | null): void {
  const mark = 'first-data';
  if (element !== null && performance.getEntriesByName(mark).length === 0) performance.mark(mark);
}
