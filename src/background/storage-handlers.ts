import type { contract } from '../contract/contract.ts';
import type { StorageState } from '../contract/storage-state.ts';
import type { StateReader } from '../messaging/server/state.ts';
import type { Handlers } from '../messaging/server/server.ts';
import type { Document } from './define-document.ts';
import { quarantine, readQuarantine, writeQuarantine } from './quarantine.ts';
import { readDocument } from './read-document.ts';

type StorageHandlers = Pick<
  Handlers<typeof contract>,
  Extract<keyof typeof contract, `storage.${string}` | `quarantine.${string}`>
>;

/** Tells how these documents stand, gives out and removes what could not be read. */
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

    'quarantine.export': async ({ state }) => [...(readQuarantine(await state.get(quarantine.key)) ?? [])],

    'quarantine.discard': async ({ input, state, fail }) => {
      const kept = readQuarantine(await state.get(quarantine.key));
      if (kept === undefined) throw fail('readOnly', {});

      writeQuarantine(
        state,
        kept.filter(({ at }) => at > input.until),
      );
      return {};
    },
  };

  async function readState(state: StateReader): Promise<StorageState> {
    const kept = readQuarantine(await state.get(quarantine.key)) ?? [];
    const all: readonly Document<unknown>[] = [...documents, quarantine];
    const statuses = await Promise.all(
      all.map(async (document) => readDocument(document, await state.get(document.key)).status),
    );
    return {
      isEmpty: statuses.every((status) => status === 'absent'),
      readOnly: all.filter((_, index) => statuses[index] === 'newer').map(({ key }) => key),
      quarantined: kept.map(({ document, at }) => ({ document, at })),
    };
  }
}
