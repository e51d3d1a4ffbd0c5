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

/**
 * Every view of both pages. What the extension says of itself is never empty; `empty` is a view of something that is
 * stored or recorded, before anything was.
 */
export const auditedViews: readonly AuditedView[] = [
  {
    name: 'popup',
    address: 'src/popup/index.html',
    widest: 360,
    states: ['loading', 'filled', 'failed', 'read-only'],
  },
  {
    name: 'specification',
    address: `${OPTIONS}#/specification`,
    states: ['loading', 'filled', 'failed', 'read-only'],
  },
  {
    name: 'point',
    address: `${OPTIONS}#/specification/calls`,
    states: ['loading', 'filled', 'failed', 'read-only'],
  },
  {
    name: 'preferences',
    address: `${OPTIONS}#/preferences`,
    states: ['loading', 'empty', 'filled', 'failed', 'read-only', 'not-saved', 'asking'],
  },
  {
    name: 'messages',
    address: `${OPTIONS}#/messages`,
    states: ['loading', 'empty', 'filled', 'failed', 'read-only'],
  },
  { name: 'about', address: `${OPTIONS}#/about`, states: ['loading', 'filled', 'failed', 'read-only'] },
  {
    name: 'unknown address',
    address: `${OPTIONS}#/nowhere`,
    states: ['loading', 'filled', 'failed', 'read-only'],
  },
];
