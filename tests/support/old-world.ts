import * as v from 'valibot';

import type { Json } from '../../src/messaging/json.ts';
import { defineDocument, type Definition } from '../../src/messaging/state/documents.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { createNotesWorld, total } from './notes-world.ts';
import { recordStore } from './store-faults.ts';

export type Stored = Readonly<Record<string, unknown>>;

/** Declares a document that adopts data of an earlier extension: by default, the names of its keys. */
export const adopting = (
  key: string,
  keys: readonly string[],
  read: (stored: Stored) => Json = (stored) => Object.keys(stored).join(),
) => defineDocument({ key, schema: v.string(), initial: 'initial', adopt: { keys, read } });

/** Creates a world with data of an earlier extension. It records what the worker reads, lists and writes. */
export function createOldWorld(
  stored: Stored,
  documents: readonly Definition<unknown>[],
  wrap: (disk: Store) => Partial<Store> = () => ({}),
) {
  const { patchStore, reads, lists, writes } = recordStore();
  const created = createNotesWorld({
    documents: [total, ...documents],
    patchStore: (disk) => patchStore({ ...disk, ...wrap(disk) }),
    stored,
  });
  return {
    ...created,
    reads: () => withoutCore(new Set(reads.flat())),
    lists: () => withoutCore(new Set(lists)),
    /** The keys of each write. */
    writes: () => writes.map(withoutCore).filter((keys) => keys.length > 0),
    keys: () => withoutCore(created.world.disk.keys()),
    /** Makes a change. It waits for the lock, so the work of earlier calls is done after it. */
    setTotal: (value: number) => created.change((state) => state.write(total, value)),
    /** The logged errors of adoptions, and their causes. */
    failures: () =>
      [...created.world.logged.values()]
        .filter((error) => error instanceof Error)
        .filter(({ message }) => message.includes('was not adopted'))
        .map(({ message, cause }) => [message, cause]),
  };
}

/** Leaves out keys that every background uses. */
const withoutCore = (keys: Iterable<string>): readonly string[] =>
  [...keys].filter((key) => !/^(journal|queue|inbox)/.test(key)).toSorted();
