import type { Definition } from '../define/documents.ts';
import { isJobKey, type Job } from './job.ts';
import { updateKeys } from './key-lists.ts';
import type { KeyChange, KeyChanges } from './store.ts';
import { type Reading, readStored } from './stored.ts';

/** The stored values, with the changes of a turn or of a handler that are not written yet. */
export interface View {
  /** Reads documents or records of one definition. @throws ProcedureError `NOT_READ` */
  readonly readings: <Data>(
    definition: Definition<Data>,
    keys: readonly string[],
  ) => Promise<readonly Reading<Data>[]>;
  /** Reads values of the core itself. @throws ProcedureError `NOT_READ` */
  readonly raw: (keys: readonly string[]) => Promise<readonly unknown[]>;
  /** Returns the keys that begin with a prefix, in order. @throws ProcedureError `NOT_READ` */
  readonly list: (prefix: string) => Promise<readonly string[]>;
  /** Returns the events and tasks that are not done, by key and in order. @throws ProcedureError `NOT_READ` */
  readonly jobs: () => Promise<ReadonlyMap<string, Job>>;
}

/** Returns a view that includes changes. It follows them, so more can be added later. */
export function withChanges(view: View, changes: KeyChanges): View {
  async function overlay<T>(
    keys: readonly string[],
    read: (unchanged: readonly string[]) => Promise<readonly T[]>,
    toValue: (change: KeyChange) => T | Promise<T>,
  ): Promise<readonly T[]> {
    // A handler may add changes while this waits for the read.
    const changed = keys.map((key) => changes.get(key));
    const unchanged = keys.filter((_key, index) => changed[index] === undefined);
    const found = await read(unchanged);
    if (unchanged.length === keys.length) return found;
    const values = found[Symbol.iterator]();
    return Promise.all(
      changed.map((change) => (change === undefined ? (values.next().value as T) : toValue(change))),
    );
  }

  return {
    readings: (definition, keys) =>
      overlay(
        keys,
        (unchanged) => view.readings(definition, unchanged),
        ({ stored, value }) =>
          (value as Reading<never> | undefined) ?? readStored(definition, stored ?? undefined),
      ),
    raw: (keys) => overlay(keys, view.raw, ({ stored }) => stored ?? undefined),
    list: async (prefix) => updateKeys(await view.list(prefix), prefix, changes),
    jobs: async () => {
      const jobs = new Map(await view.jobs());
      for (const [key, { stored, value }] of changes) {
        if (!isJobKey(key)) continue;
        if (stored === null) jobs.delete(key);
        else jobs.set(key, value as Job);
      }
      return jobs;
    },
  };
}
