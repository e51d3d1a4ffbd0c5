import { views } from '../../../src/options/views.tsx';

/** What a view can be found in. */
export type AuditedState = 'loading' | 'empty' | 'filled' | 'failed' | 'read-only' | 'not-saved' | 'asking';

interface AuditedView {
  readonly name: string;
  /** Within the extension. The popup is looked at in a tab, where it can be given a size; the real one in a test of its own. */
  readonly address: string;
  /** Those that the view has; each has to be brought about in `open-state.ts`. */
  readonly states: readonly AuditedState[];
  /** CSS px that it takes of a window that is wider. */
  readonly widest?: number;
}

const OPTIONS = 'src/options/index.html';

const always = ['loading', 'filled', 'failed', 'read-only'] as const;

/** The states that a view of something stored or recorded has besides: `empty` is before anything was. */
const further: Partial<Record<(typeof views)[number]['name'], readonly AuditedState[]>> = {
  preferences: ['empty', 'not-saved', 'asking'],
  messages: ['empty'],
};

/** Every view of both pages. */
export const auditedViews: readonly AuditedView[] = [
  { name: 'popup', address: 'src/popup/index.html', widest: 360, states: always },
  ...views.map(({ name }) => ({
    name,
    address: `${OPTIONS}#/${name}`,
    states: [...always, ...(further[name] ?? [])],
  })),
  { name: 'point', address: `${OPTIONS}#/specification/calls`, states: always },
  { name: 'unknown address', address: `${OPTIONS}#/nowhere`, states: always },
];
