import { createPageClient } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { sendMalformed } from './malformed-frames.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import type { WatchedApi } from './worker.ts';

declare global {
  /** The client of this page, and tools. Tests call it. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var watched: ReturnType<typeof createPageClient<WatchedApi>> & {
    readonly sendMalformed: typeof sendMalformed;
    /** The store that the background uses. */
    readonly store: Store;
  };
}

globalThis.watched = {
  ...createPageClient<WatchedApi>(),
  sendMalformed,
  store: typeof IS_INDEXED_DB === 'undefined' ? browserStore : indexedDbStore,
};
document.title = 'ready';
