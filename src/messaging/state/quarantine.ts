import { type Definition, isEnvelope, readStored } from './documents.ts';
import type { Entries, ReliableStore } from './store.ts';

/** A stored value that could not be read. */
export interface Unreadable {
  /** Names this value, with this content. */
  readonly id: string;
  /** The key under which it was stored: that of a document, or `key/id` of a record. */
  readonly key: string;
  /** When it was set aside, in ms since 1970; 0 while it is still stored under its key. */
  readonly at: number;
}

/** The condition of the stored state. Both lists are empty when all is well. */
export interface Condition {
  /** Nothing is stored: nothing was stored yet, or everything was lost. */
  readonly isEmpty: boolean;
  /** The documents that are stored, with their versions where those can be read. */
  readonly documents: readonly { readonly key: string; readonly version?: number }[];
  /** Keys of documents that a newer version of the extension wrote. They stay as they are. */
  readonly readOnly: readonly string[];
  /** Values that could not be read: set aside or, where that is not possible, still under their keys. */
  readonly unreadable: readonly Unreadable[];
}

export type Quarantine = ReturnType<typeof createQuarantine>;

/** Keys of values that were set aside: `quarantine/<id>`. */
export const QUARANTINE = 'quarantine/';

/**
 * Finds stored values that cannot be read and keeps them: as JSON text in the quarantine or, where text would not keep all
 * of a value, untouched under its key.
 *
 * @param onFound called once for each value that cannot be read, to set it aside
 */
export function createQuarantine(
  store: ReliableStore,
  definitions: readonly Definition<unknown>[],
  onFound: (key: string) => void,
) {
  /** Keys of values that are not set aside yet, or cannot be. Each background tries once. */
  const found = new Set<string>();

  function onInvalid(key: string): void {
    if (found.has(key)) return;
    found.add(key);
    onFound(key);
  }

  /** Returns the stored value under a key if it cannot be read. */
  async function readInvalid(key: string): Promise<{ readonly stored: unknown } | undefined> {
    const definition = definitions.find((listed) => listed.key === key.split('/', 1)[0]);
    if (definition === undefined) return undefined;

    const { [key]: stored } = await store.read([key]);
    const { status } = await readStored(definition, stored);
    return status === 'invalid' ? { stored } : undefined;
  }

  /** Returns the key and the text of a listed value, or `undefined` if it is gone or has changed since. */
  async function findListed(
    id: string,
  ): Promise<{ readonly key: string; readonly text: string } | undefined> {
    const { key, at } = parseId(id);
    if (at > 0) {
      const keptKey = QUARANTINE + id;
      const { [keptKey]: kept } = await store.read([keptKey]);
      return kept === undefined ? undefined : { key: keptKey, text: textOf(kept) };
    }
    const invalid = await readInvalid(key);
    if (invalid === undefined || (await idOf(key, invalid.stored)) !== id) return undefined;
    return { key, text: describe(invalid.stored) };
  }

  return {
    onInvalid,

    /** Sets aside the value under a key, if it is still there and text keeps all of it. Runs under the lock. */
    setAside: async (key: string, write: (entries: Entries) => Promise<void>): Promise<void> => {
      const invalid = await readInvalid(key);
      const entries = invalid && toQuarantine(key, invalid.stored);
      if (entries !== undefined) await write(entries);
      if (entries !== undefined || invalid === undefined) found.delete(key);
    },

    inspect: async (): Promise<Condition> => {
      const documents = definitions.filter(({ kind }) => kind === 'document');
      // The journal is there from the first change on.
      const stored = await store.read([...documents.map(({ key }) => key), 'journal']);

      const readOnly: string[] = [];
      for (const document of documents) {
        const { status } = await readStored(document, stored[document.key]);
        if (status === 'newer') readOnly.push(document.key);
        if (status === 'invalid') onInvalid(document.key);
      }
      const kept = await store.list(QUARANTINE);
      const unreadable = kept.map((key) => parseId(key.slice(QUARANTINE.length)));
      for (const key of found) {
        const invalid = await readInvalid(key);
        if (invalid !== undefined) unreadable.push({ id: await idOf(key, invalid.stored), key, at: 0 });
      }
      const known = documents.flatMap(({ key }) => {
        const value = stored[key];
        if (value === undefined) return [];
        return [isEnvelope(value) ? { key, version: value.version } : { key }];
      });
      const collections = definitions.filter(({ kind }) => kind === 'collection');
      const records = await Promise.all(collections.map(({ key }) => store.list(`${key}/`)));
      const isEmpty =
        Object.keys(stored).length === 0 && [unreadable, ...records].every(({ length }) => length === 0);
      return { isEmpty, documents: known, readOnly, unreadable };
    },

    readText: async (id: string): Promise<string | undefined> => (await findListed(id))?.text,

    /** Returns the entries that remove these values, as they were listed. */
    removalsOf: async (ids: readonly string[]): Promise<Entries> => {
      const listed = await Promise.all(ids.map(findListed));
      return Object.fromEntries(listed.flatMap((value) => (value === undefined ? [] : [[value.key, null]])));
    },
  };
}

/** Returns the entries that set a value aside as JSON text, or `undefined` if the text would not keep all of it. */
export function toQuarantine(key: string, stored: unknown): Entries | undefined {
  const text = toText(stored);
  // The id has all that a list shows, so that no text is read for it: texts can be large.
  const id = `${Date.now()}.${crypto.randomUUID()}.${key}`;
  return text === undefined ? undefined : { [QUARANTINE + id]: { text }, [key]: null };
}

function parseId(id: string): Unreadable {
  const [at, uuid = ''] = id.split('.');
  return { id, key: id.slice(`${at}.${uuid}.`.length), at: Number(at) };
}

/** Names a value that is still stored under its key, with this content. */
async function idOf(key: string, stored: unknown): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(describe(stored)));
  const digits = [...new Uint8Array(hash, 0, 16)].map((byte) => byte.toString(16).padStart(2, '0'));
  return `0.${digits.join('')}.${key}`;
}

/** Returns the text that was set aside. */
function textOf(stored: unknown): string {
  const isKept = typeof stored === 'object' && stored !== null && 'text' in stored;
  return isKept && typeof stored.text === 'string' ? stored.text : describe(stored);
}

/** Text for a person, as close to JSON as possible: Firefox stores values that are not JSON. */
function describe(stored: unknown): string {
  const toPlain = (_key: string, value: unknown): unknown => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  };
  try {
    return JSON.stringify(stored, toPlain) ?? String(stored);
  } catch {
    // A cycle, or too many levels.
    return Object.prototype.toString.call(stored);
  }
}

/** Returns JSON text, which escapes half a character, or `undefined` if parsing it would not give an equal value. */
function toText(stored: unknown): string | undefined {
  try {
    return isKeptByText(stored) ? JSON.stringify(stored) : undefined;
  } catch {
    // Too many levels, or a cycle.
    return undefined;
  }
}

/** @throws RangeError for a cycle, or for more levels than the engine takes */
function isKeptByText(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null)
    return ['boolean', 'string', 'object'].includes(typeof value);
  // `Object.values` leaves out what is missing in an array.
  if (Array.isArray(value)) return Object.values(value).length === value.length && value.every(isKeptByText);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  return Object.values(value).every(isKeptByText);
}
