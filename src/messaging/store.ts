import type { Json } from './json.ts';

/** Where state lives. Declared here, implemented over the browser's storage and locks. */
export interface Store {
  readonly read: (key: string) => Promise<Json | undefined>;
  readonly readAll: () => Promise<Readonly<Record<string, Json>>>;
  /** Writes all entries or, when it rejects, none. */
  readonly write: (entries: Readonly<Record<string, Json>>) => Promise<void>;
  readonly remove: (keys: readonly string[]) => Promise<void>;
  /**
   * Runs `work` when everybody who asked before is done; nobody else's work runs meanwhile, in this worker or another.
   */
  readonly lock: <T>(work: () => Promise<T>) => Promise<T>;
}
