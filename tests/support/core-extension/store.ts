import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { localStore } from '../../../src/platform/local-store.ts';

declare global {
  /** Defined in a build that keeps its state in IndexedDB. */
  const IS_INDEXED_DB: true | undefined;
}

/** The store of the background. */
export const store = typeof IS_INDEXED_DB === 'undefined' ? localStore : indexedDbStore;
