import * as v from 'valibot';
import { expect, vi } from 'vitest';

import type { Json } from '../../src/messaging/wire/json.ts';
import { defineDocument, type Definition } from '../../src/messaging/define/documents.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { createNotesWorld, total } from './notes-world.ts';

export type Stored = Readonly<Record<string, unknown>>;

/** Declares a document that adopts data of an earlier extension: by default, the names of its keys. */
export const adopting = (
  key: string,
  keys: readonly string[],
  read: (stored: Stored) => Json = (stored) => Object.keys(stored).join(),
) => defineDocument({ key, schema: v.string(), initial: 'initial', adopt: { keys, read } });

/** Creates a world with data of an earlier extension. */
export function createOldWorld(
  stored: Stored,
  documents: readonly Definition<unknown>[],
  wrap: (disk: Store) => Partial<Store> = () => ({}),
) {
  const created = createNotesWorld({
    documents: [total, ...documents],
    patchStore: (disk) => ({ ...disk, ...wrap(disk) }),
    stored,
  });
  return {
    ...created,
    /** Resolves when the adoptions are written. A read does not wait for that. */
    written: () => vi.waitFor(() => expect(created.world.disk.keys()).toContain('prepared/definitions')),
    /** The stored keys, without those that the core uses. */
    keys: () =>
      created.world.disk
        .keys()
        .filter((key) => !/^(journal|prepared|queue)/.test(key))
        .toSorted(),
    /** The logged errors of adoptions, and their causes. */
    failures: () =>
      [...created.world.logged.values()]
        .filter((error) => error instanceof Error)
        .filter(({ message }) => message.includes('was not adopted'))
        .map(({ message, cause }) => [message, cause]),
  };
}
