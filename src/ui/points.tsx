import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect } from 'react';

import type { GapId, Point, Progress } from '../contract/spec-gaps.ts';
import { CallResult } from './background-status.tsx';
import { useQuery } from './calls.ts';
import { useTranslate } from './extension.ts';
import type { Translate } from './text.ts';

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

/** The picture of this project: one cell for each point. Arrow keys move between them, and its number opens a point. */
export function PointGrid({ points, current, look, linkTo, children }: PointGridProps) {
  const t = useTranslate();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut between the links in it
    <ol className={look.grid} onKeyDown={moveByArrow}>
      {points.map((point) => (
        <li key={point.id} className="outlined">
          <a
            {...linkTo(point.id)}
            className={`cell ${look.cell}`}
            data-complete={isComplete(point)}
            aria-current={point.id === current ? 'page' : undefined}
            aria-keyshortcuts={String(point.number)}
          >
            <span className="number">{point.number}</span> <span className={look.title}>{point.title}</span>{' '}
            <span className="visually-hidden">{describeProgress(point, t)}</span>
          </a>
          <Share of={point} />
        </li>
      ))}
      {children}
    </ol>
  );
}

/** The outline of a cell: dashed below, and solid over it as far as the questions are answered. */
export function Share({ of: { answered, total } }: { readonly of: Progress }) {
  return (
    <span className="share" aria-hidden="true">
      <svg>
        <rect pathLength={100} strokeDasharray={`${(100 * answered) / total} 100`} />
      </svg>
    </span>
  );
}

export function isComplete({ answered, total }: Progress): boolean {
  return answered === total;
}

/** Such as `3 of 13 answered`. */
export function describeProgress({ answered, total }: Progress, t: Translate): string {
  return t('point_answered', { answered: String(answered), total: String(total) });
}

/** How many questions are answered, as the background says. */
export function ProgressSummary() {
  const t = useTranslate();
  const count = useQuery('questions.count');

  return (
    <CallResult state={count} loading={t('questions_answered_loading')}>
      {({ answered, total }) => (
        <p ref={markFirstData} role="status">
          {t('questions_answered', { answered: String(answered), total: String(total) })}
        </p>
      )}
    </CallResult>
  );
}

/**
 * Lets keys work that elements name in `aria-keyshortcuts`: a link is followed, a field gets the focus. Not while a
 * person types, chooses or answers a question.
 *
 * @param onMissing called for a key that no element names
 */
export function usePageKeys(onMissing: (key: string) => void = () => {}): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      const { key, target } = event;
      const isTyping = target instanceof Element && target.matches('input, select, textarea');
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      if (isTyping || hasModifier || !/^[1-9/]$/u.test(key) || document.querySelector('dialog[open]')) return;

      const named = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${key}"]`);
      if (named === null) onMissing(key);
      else if (named instanceof HTMLAnchorElement) named.click();
      else named.focus();
      // Firefox would open its own search at a slash.
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}

/** Moves the focus between the links of a grid as they stand. */
function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')];
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

/** Notes in the page's timeline when its first answer was rendered: `npm run bench` reads it. */
function markFirstData(element: Element | null): void {
  const mark = 'first-data';
  if (element !== null && performance.getEntriesByName(mark).length === 0) performance.mark(mark);
}
