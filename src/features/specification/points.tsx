import type { KeyboardEvent } from 'react';

import { useOptionsLink, useTranslate } from '../../ui/extension.ts';
import type { Translate } from '../../ui/text.ts';
import styles from './points.module.css';
import type { GapId, Point, Progress, StartProgress } from './spec-gaps.ts';

function pointAddress(id: GapId): string {
  return `#/questions/${id}`;
}

interface PointGridProps {
  readonly points: readonly Point[];
  /** The point that the page shows now. */
  readonly current?: GapId | undefined;
  /** Classes that set the size and position of the parts. */
  readonly look: {
    readonly grid?: string | undefined;
    readonly cell?: string | undefined;
    readonly title?: string | undefined;
  };
}

/**
 * Shows a grid with a cell for each point. While a cell has the focus, the arrow keys move between cells, and a number
 * key opens the point with that number.
 */
export function PointGrid({ points, current, look }: PointGridProps) {
  const t = useTranslate();
  const linkTo = useOptionsLink();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keyboard shortcuts between its links
    <ol className={look.grid} onKeyDown={onGridKey}>
      {points.map((point) => (
        <li key={point.id}>
          <a
            {...linkTo(pointAddress(point.id))}
            className={`${styles['cell']} ${look.cell}`}
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
    </ol>
  );
}

/** Shows the answered share of the questions as a bar. */
export function Share({ of: { answered, total } }: { readonly of: Progress }) {
  return (
    <svg className={styles['share']} aria-hidden="true">
      <rect width={`${(100 * answered) / total}%`} height="100%" />
    </svg>
  );
}

export function isComplete({ answered, total }: Progress): boolean {
  return answered === total;
}

/** Returns a text such as `3 of 13 answered`. */
export function describeProgress({ answered, total }: Progress, t: Translate): string {
  return t('point_answered', { answered: String(answered), total: String(total) });
}

/** Returns a text such as `3 of 11 answered, about 40 min`. The minutes are for the unanswered questions. */
export function describeStart({ answered, total, minutes }: StartProgress, t: Translate): string {
  const left = Math.ceil((minutes * (total - answered)) / total / 5) * 5;
  const values = { answered: String(answered), total: String(total) };
  return left === 0
    ? t('point_answered', values)
    : t('questions_start', { ...values, minutes: String(left) });
}

/** Moves the focus to the next cell in the direction of an arrow key, or opens the point with the pressed number. */
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
