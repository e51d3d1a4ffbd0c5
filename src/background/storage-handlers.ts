import type { contract } from '../contract/contract.ts';
import type { StorageFile } from '../contract/storage-file.ts';
import { storageFormat } from '../contract/storage-format.ts';
import type { StorageState } from '../contract/storage-state.ts';
import type { StateReader } from '../messaging/create-state.ts';
import type { Handlers } from '../messaging/handlers.ts';
import type { Json } from '../messaging/json.ts';
import { compareJson } from './compare-json.ts';
import type { Document } from './define-document.ts';
import { openDocument } from './open-document.ts';
import { quarantine, readQuarantine, writeQuarantine } from './quarantine.ts';
import { readDocument } from './read-document.ts';
import { readStorageFile } from './read-storage-file.ts';
import { watchKeys } from './watch-keys.ts';

type StorageHandlers = Pick<
  Handlers<typeof contract>,
  Extract<keyof typeof contract, `storage.${string}` | `quarantine.${string}`>
>;

/** Exports, imports and resets these documents, and tells of what could not be read. */
export function createStorageHandlers(documents: readonly Document<unknown>[]): StorageHandlers {
  return {
    'storage.watch': async function* ({ state }) {
      let last = '';
      for await (const _ of watchKeys(state, [...documents.map(({ key }) => key), quarantine.key])) {
        const current = await readState(state);
        const text = JSON.stringify(current);
        if (text !== last) yield current;
        last = text;
      }
    },

    'storage.export': ({ state }) => exportDocuments(state),

    'storage.preview': async ({ input, state, fail }) => {
      const file = readStorageFile(documents, input);
      if (file.status === 'wrong') throw fail('wrongFile', file.faults);

      const changes = file.filed.map(async ({ document, data }) => {
        const current = readDocument(document, await state.get(document.key));
        if (current.status === 'newer') throw fail('readOnly', {});
        return compareJson(current.data as Json, data as Json, [document.key]);
      });
      return (await Promise.all(changes)).flat();
    },

    'storage.import': async ({ input, state, fail }) => {
      const file = readStorageFile(documents, input);
      if (file.status === 'wrong') throw fail('wrongFile', file.faults);

      for (const { document, data } of file.filed) {
        const opened = await openDocument(state, document);
        if (opened === undefined) throw fail('readOnly', {});
        opened.write(data);
      }
      return {};
    },

    'storage.reset': async ({ state, fail }) => {
      const before = await exportDocuments(state);
      for (const document of documents) {
        const opened = await openDocument(state, document);
        if (opened === undefined) throw fail('readOnly', {});
        opened.write(document.initial);
      }
      return before;
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

  async function exportDocuments(state: StateReader): Promise<StorageFile> {
    const entries: [string, StorageFile['documents'][string]][] = [];
    for (const document of documents) {
      const { status, data } = readDocument(document, await state.get(document.key));
      if (status !== 'newer') entries.push([document.key, { version: document.version, data: data as Json }]);
    }
    return { format: storageFormat, version: 1, documents: Object.fromEntries(entries) };
  }

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
