import { ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';
import {
  type Collection,
  type Definition,
  type Document,
  readStored,
  type Stored,
  toStored,
} from './documents.ts';
import { toQuarantine } from './quarantine.ts';
import {
  checkListed,
  createReader,
  keyOf,
  type Originals,
  type Staged,
  type StateContext,
  type StateReader,
} from './reader.ts';
import type { Entries } from './store.ts';

/**
 * The state that the handler of a mutation gets. Reads include the handler's changes. The changes are written together
 * after the handler has returned, or not at all if it throws.
 */
export interface Transaction extends StateReader {
  /** Replaces a document's data. @throws JsonError for data that cannot be stored unchanged */
  readonly write: <Data>(document: Document<Data>, data: NoInfer<Data>) => void;
  /** Replaces a document's data by the result of `change`, and returns it. */
  readonly update: <Data>(document: Document<Data>, change: (data: Data) => NoInfer<Data>) => Promise<Data>;
  /** Adds or replaces a record. @throws JsonError for data that cannot be stored unchanged, TypeError for an invalid id */
  readonly set: <Data>(collection: Collection<Data>, id: string, data: NoInfer<Data>) => void;
  /** Removes a record, if it exists. */
  readonly remove: (collection: Collection<unknown>, id: string) => void;
  /** Removes values that could not be read, except values that have changed since they were listed. */
  readonly discardUnreadable: (ids: readonly string[]) => Promise<void>;
}

export function openTransaction(context: StateContext) {
  const staged: Staged = new Map();
  const originals: Originals = new Map();
  const discarded: Record<string, Json> = {};
  const reader = createReader(context, staged, originals);

  function stage(definition: Definition<unknown>, key: string, value: Stored | null): void {
    checkListed(context.definitions, definition);
    staged.set(key, { definition, value });
  }

  function write<Data>(document: Document<Data>, data: NoInfer<Data>): void {
    stage(document, document.key, toStored(document, data));
  }

  /**
   * Returns the entries to write for the staged changes.
   *
   * @throws ProcedureError `READ_ONLY` or `NOT_READ` for a stored value that must not be replaced
   * @throws TypeError for data that does not fit its schema
   */
  async function toEntries(): Promise<Entries> {
    const stored = await context.store.read([...staged.keys()].filter((key) => !originals.has(key)));
    const entries: Record<string, Json> = { ...discarded };
    for (const [key, { definition, value }] of staged) {
      const original = originals.get(key) ?? {
        stored: stored[key],
        ...(await readStored(definition, stored[key])),
      };
      // The value replaces the removal that `keep` may return for the key.
      Object.assign(entries, keep(key, original), { [key]: value });
      if (value === null) continue;
      const result = await definition.schema['~standard'].validate(value.data);
      if (result.issues !== undefined)
        throw new TypeError(`The new data of "${key}" does not fit its schema.`);
    }
    return entries;
  }

  const transaction: Transaction = {
    ...reader,
    write,
    update: async (document, change) => {
      const data = change(await reader.read(document));
      write(document, data);
      return data;
    },
    set: (collection, id, data) => stage(collection, keyOf(collection, id), toStored(collection, data)),
    remove: (collection, id) => stage(collection, keyOf(collection, id), null),
    discardUnreadable: async (ids) => void Object.assign(discarded, await context.quarantine.removalsOf(ids)),
  };
  return { transaction, toEntries };
}

/** Returns the entries that quarantine an unreadable value before it is replaced. Other values need none. */
function keep(key: string, { stored, status }: { stored: unknown; status: string }): Entries {
  if (status === 'newer') throw new ProcedureError({ code: 'READ_ONLY' });
  if (status !== 'invalid') return {};

  const entries = toQuarantine(key, stored);
  if (entries === undefined) throw new ProcedureError({ code: 'NOT_READ' });
  return entries;
}
