import { createPageClient } from '../../../src/platform/browser-client.ts';
import { runStoreCase } from '../store-suite.ts';
import { sendMalformed } from './malformed-frames.ts';
import { store } from './store.ts';
import type { CoreApi } from './worker.ts';

declare global {
  /** The client of this page, and tools. Tests call it. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var core: ReturnType<typeof createPageClient<CoreApi>> & {
    readonly sendMalformed: typeof sendMalformed;
    /** Runs a case of the suite for stores with the store that the background uses. */
    readonly runStoreCase: (name: string) => Promise<unknown>;
  };
}

globalThis.core = {
  ...createPageClient<CoreApi>(),
  sendMalformed,
  runStoreCase: (name) => {
    // Chromium drops functions and refuses a value above its quota. Firefox and IndexedDB refuse functions.
    const isLimited = typeof IS_INDEXED_DB === 'undefined' && location.protocol === 'chrome-extension:';
    return runStoreCase(name, store, isLimited ? 'x'.repeat(11_000_000) : () => {});
  },
};
document.title = 'ready';
