import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';

import type { GapId, Point, Progress } from '../contract/spec-gaps.ts';
import { useTranslate } from './extension.ts';
import type { Translate } from './text.ts';

/** The address of a point within the options page: a hash, so that each point can be linked to. */
export function pointAddress(id: GapId): string {
  return `#/questions/${id}`;
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

/**
 * The picture of this project: one cell for each point. While one has the focus, arrow keys move between them and a number
 * opens its point.
 */
export function PointGrid({ points, current, look, linkTo, children }: PointGridProps) {
  const t = useTranslate();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut between the links in it
    <ol className={look.grid} onKeyDown={onGridKey}>
      {points.map((point) => (
        <li key={point.id}>
          <a
            {...linkTo(point.id)}
            className={`cell ${look.cell}`}
            data-complete={isComplete(point)}
            aria-current={point.id === current ? 'page' : undefined}
            aria-keyshortcuts={String(point.number)}
          >
            <span className="number">{point.number}</span> <span className={look.title}>{point.title}</span>{' '}
            <span className="visually-hidden">{describeProgress(point, t)}</span>
            <span className="number" aria-hidden="true">{`${point.answered}/${point.total}`}</span>
            <Share of={point} />
          </a>
        </li>
      ))}
      {children}
    </ol>
  );
}

/** A bar that is filled as far as the questions are answered. */
export function Share({ of: { answered, total } }: { readonly of: Progress }) {
  return (
    <svg className="share" aria-hidden="true">
      <rect width={`${(100 * answered) / total}%`} height="100%" />
    </svg>
  );
}

export function isComplete({ answered, total }: Progress): boolean {
  return answered === total;
}

/** Such as `3 of 13 answered`. */
export function describeProgress({ answered, total }: Progress, t: Translate): string {
  return t('point_answered', { answered: String(answered), total: String(total) });
}

/** Moves the focus between the links of a grid as they stand, or follows the one that a number names. */
function onGridKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  links.find((link) => link.getAttribute('aria-keyshortcuts') === event.key)?.click();
  const from = links.findIndex((link) => link === document.activeElement);
  const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl';
  const top = links[0]?.getBoundingClientRect().top;
  const columns = links.filter((link) => link.getBoundingClientRect().top === top).length;
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: -columns,
    ArrowDown: columns,
    ArrowLeft: isMirrored ? 1 : -1,
    ArrowRight: isMirrored ? -1 : 1,
  };
  const step = steps[event.key];
  if (step === undefined || from === -1) return;
  event.preventDefault();
  links[from + step]?.focus();
}
