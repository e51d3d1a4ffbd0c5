import type { Json } from '../json.ts';
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
 * @param onFound called when there are values to set aside
 */
export function createQuarantine(
  store: ReliableStore,
  listKeys: (prefix: string) => Promise<readonly string[]>,
  definitions: readonly Definition<unknown>[],
  onFound: () => void,
) {
  /** Keys of values that are to be set aside. */
  const found = new Set<string>();
  /** Keys of values that could not be set aside. */
  const stuck = new Set<string>();

  function onInvalid(key: string): void {
    if (found.has(key) || stuck.has(key)) return;
    found.add(key);
    onFound();
  }

  function definitionOf(key: string): Definition<unknown> | undefined {
    return definitions.find((definition) => definition.key === key.split('/', 1)[0]);
  }

  /** A stored value under this key that cannot be read, or `undefined`. */
  async function readInvalid(key: string): Promise<{ readonly stored: unknown } | undefined> {
    const definition = definitionOf(key);
    if (definition === undefined && key !== LEGACY) return undefined;

    const { [key]: stored } = await store.read([key]);
    if (stored === undefined) return undefined;
    if (definition !== undefined && (await readStored(definition, stored)).status !== 'invalid')
      return undefined;
    return { stored };
  }

  /** Returns the key of a value that was listed. It may have been set aside since. */
  async function findKey(id: string): Promise<string | undefined> {
    const { key, at } = parseKey(QUARANTINE + id);
    if (at > 0) return QUARANTINE + id;

    const others = (await listKeys(QUARANTINE)).filter((name) => parseKey(name).key === key);
    for (const name of [key, ...others]) {
      const text = await readText(name);
      if (text !== undefined && (await idOf(key, text)) === id) return name;
    }
    return undefined;
  }

  async function readText(name: string): Promise<string | undefined> {
    if (!name.startsWith(QUARANTINE)) {
      const invalid = await readInvalid(name);
      return invalid && describe(invalid.stored);
    }
    const { [name]: kept } = await store.read([name]);
    return kept === undefined ? undefined : textOf(kept);
  }

  return {
    onInvalid,

    /** Returns the entries that set aside a value which was found, or `undefined` if there is none any more. */
    next: async (): Promise<{ readonly key: string; readonly entries: Entries } | undefined> => {
      for (const key of found) {
        const invalid = await readInvalid(key);
        const entries = invalid && setAside(key, invalid.stored);
        found.delete(key);
        if (entries !== undefined) return { key, entries };
        if (invalid !== undefined) stuck.add(key);
      }
      return undefined;
    },

    /** A value could not be set aside: the store may have no room. It is not tried again by this background. */
    onRefused: (key: string): void => void stuck.add(key),

    inspect: async (): Promise<Condition> => {
      const documents = definitions.filter(({ kind }) => kind === 'document');
      // The journal is there from the first change on.
      const stored = await store.read([...documents.map(({ key }) => key), LEGACY, 'journal']);
      if (stored[LEGACY] !== undefined) onInvalid(LEGACY);

      const readOnly: string[] = [];
      for (const document of documents) {
        const { status } = await readStored(document, stored[document.key]);
        if (status === 'newer') readOnly.push(document.key);
        if (status === 'invalid') onInvalid(document.key);
      }
      const unreadable = (await listKeys(QUARANTINE)).map(parseKey);
      for (const key of [...found, ...stuck]) {
        const invalid = await readInvalid(key);
        if (invalid !== undefined)
          unreadable.push({ id: await idOf(key, describe(invalid.stored)), key, at: 0 });
      }
      const known = documents.flatMap(({ key }) => {
        const value = stored[key];
        if (value === undefined) return [];
        return [isEnvelope(value) ? { key, version: value.version } : { key }];
      });
      const collections = definitions.filter(({ kind }) => kind === 'collection');
      const records = await Promise.all(collections.map(({ key }) => listKeys(`${key}/`)));
      const isEmpty =
        Object.keys(stored).length === 0 && [unreadable, ...records].every(({ length }) => length === 0);
      return { isEmpty, documents: known, readOnly, unreadable };
    },

    readText: async (id: string): Promise<string | undefined> => {
      const name = await findKey(id);
      return name === undefined ? undefined : readText(name);
    },

    /** Returns the entries that remove these values, as they were listed. */
    removalsOf: async (ids: readonly string[]): Promise<Entries> => {
      const removals: Record<string, Json> = {};
      for (const id of ids) {
        const name = await findKey(id);
        if (name !== undefined) removals[name] = null;
      }
      return removals;
    },
  };
}

/** Returns the entries that set a value aside as JSON text, or `undefined` if the text would not keep all of it. */
export function setAside(key: string, stored: unknown): Entries | undefined {
  const text = toText(stored);
  if (text === undefined) return undefined;
  return key === LEGACY
    ? { ...convertLegacy(text), [key]: null }
    : { ...entryOf(key, Date.now(), text), [key]: null };
}

/** The key under which version 0.1.0 kept all values that it had set aside. */
const LEGACY = 'quarantine';

/** Version 0.1.0 stored a list of `{ document, at, text }` and, before that, of `{ document, at, value }`. */
function convertLegacy(text: string): Entries {
  const { data } = JSON.parse(text) as { readonly data?: unknown };
  const isOld = (entry: unknown): entry is { document: string; at: number; text?: string; value?: Json } =>
    typeof entry === 'object' && entry !== null && 'document' in entry && 'at' in entry;
  if (!Array.isArray(data) || !data.every(isOld)) return entryOf(LEGACY, Date.now(), text);

  const entries = data.map((old) =>
    entryOf(old.document, old.at, old.text ?? JSON.stringify(old.value ?? null)),
  );
  return Object.assign({}, ...entries) as Entries;
}

const entryOf = (key: string, at: number, text: string): Entries => ({
  // The id has all that a list shows, so that no text is read for it: texts can be large.
  [`${QUARANTINE}${at}.${crypto.randomUUID()}.${key}`]: { text },
});

function parseKey(name: string): Unreadable {
  const id = name.slice(QUARANTINE.length);
  const [at, uuid = ''] = id.split('.');
  return { id, key: id.slice(`${at}.${uuid}.`.length), at: Number(at) };
}

/** Names a value that is still stored under its key, with this text. */
async function idOf(key: string, text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
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
