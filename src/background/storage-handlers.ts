import type { contract } from '../contract/contract.ts';
import type { StorageState, Unreadable } from '../contract/storage.ts';
import type { StateReader } from '../messaging/server/state.ts';
import type { Handlers } from '../messaging/server/server.ts';
import {
  type Document,
  quarantine,
  readDocument,
  readQuarantine,
  storedVersion,
  toUnreadable,
  writeDocument,
} from './document.ts';

type StorageHandlers = Pick<
  Handlers<typeof contract>,
  Extract<keyof typeof contract, `storage.${string}` | `quarantine.${string}`>
>;

/** Says how these documents stand, and gives out and removes what could not be read. */
export function createStorageHandlers(documents: readonly Document<unknown>[]): StorageHandlers {
  return {
    'storage.watch': async function* ({ state }) {
      let last = '';
      for await (const _ of state.watch(quarantine.key, ...documents.map(({ key }) => key))) {
        const current = await readState(state);
        const text = JSON.stringify(current);
        if (text !== last) yield current;
        last = text;
      }
    },

    'quarantine.export': async ({ state }) => [...(await readUnreadable(state))],

    'quarantine.discard': async ({ input, state, fail }) => {
      const kept = readQuarantine(await state.get(quarantine.key));
      if (kept === undefined) throw fail('readOnly', {});

      const later = kept.filter(({ at }) => at > input.until);
      writeDocument(state, quarantine, later);
      for (const document of documents) {
        const { status, data } = readDocument(document, await state.get(document.key));
        if (status === 'invalid') writeDocument(state, document, data);
      }
      return {};
    },
  };

  async function readState(state: StateReader): Promise<StorageState> {
    const all: readonly Document<unknown>[] = [...documents, quarantine];
    const stored = await Promise.all(all.map(({ key }) => state.get(key)));
    const statuses = all.map((document, index) => readDocument(document, stored[index]).status);
    const found = all.flatMap(({ key }, index) => {
      const version = storedVersion(stored[index]);
      return stored[index] === undefined ? [] : [{ key, ...(version !== undefined && { version }) }];
    });
    const unreadable = await readUnreadable(state);
    return {
      isEmpty: statuses.every((status) => status === 'absent'),
      documents: found,
      readOnly: all.filter((_, index) => statuses[index] === 'newer').map(({ key }) => key),
      unreadable: unreadable.map(({ document, at }) => ({ document, at })),
    };
  }

  /** What is in quarantine, then what could not be set aside: there may be no room for it. */
  async function readUnreadable(state: StateReader): Promise<readonly Unreadable[]> {
    const kept = readQuarantine(await state.get(quarantine.key)) ?? [];
    const stuck: Unreadable[] = [];
    for (const document of documents) {
      const stored = await state.get(document.key);
      if (readDocument(document, stored).status === 'invalid') stuck.push(toUnreadable(document.key, stored));
    }
    return [...kept, ...stuck];
  }
}
