import { untilAborted } from '../deadline.ts';
import { type Definition, type Reading, readStored } from './documents.ts';
import { PRUNED_AT } from './journal.ts';
import type { StateWatcher } from './state.ts';
import type { Entries } from './store.ts';
import type { Base, StateReader, StateWriter } from './transaction.ts';
import type { InTurn, Turn } from './turn.ts';

/** A stored value that could not be read. */
export interface Unreadable {
  /** Id of the value. It changes when the value moves to the quarantine. */
  readonly id: string;
  /** The key of the document, or `key/id` of the record. */
  readonly key: string;
  /** Time at which the value was quarantined, in ms since 1970, or 0 if it is still stored under its key. */
  readonly at: number;
}

/** The condition of the stored state. `readOnly` and `unreadable` are empty if all of it can be used. */
export interface Condition {
  /** `true` if nothing was stored, or everything was lost. */
  readonly isEmpty: boolean;
  /** Keys of the stored documents. */
  readonly documents: readonly string[];
  /** Keys of documents that are neither stored nor quarantined. */
  readonly absent: readonly string[];
  /** Keys of documents that a newer version of the extension wrote. They cannot be changed. */
  readonly readOnly: readonly string[];
  /** Values that could not be read. Values that cannot be quarantined are still stored under their keys. */
  readonly unreadable: readonly Unreadable[];
}

/** The damage of the stored state. */
export interface Damage {
  /** Returns the condition of the stored state. It lists an unreadable record only after an attempt to read it. */
  readonly inspect: () => Promise<Condition>;
  /** Returns the text of a value that could not be read, or `undefined` if the value is gone. */
  readonly readText: (id: string) => Promise<string | undefined>;
}

/** The damage, for a mutation. */
export interface DamageWriter extends Damage {
  /** Removes values that could not be read, except those that can be read now or have moved since they were listed. */
  readonly discard: (ids: readonly string[]) => Promise<void>;
}

/** The damage, for a subscription. */
export interface DamageWatcher extends Damage {
  /** Yields the condition of the stored state, now and when it may have changed. */
  readonly watch: () => AsyncGenerator<Condition, void>;
}

const damages = new WeakMap<StateReader, Damage>();

/** Lets `damageOf` find the damage for the state of a handler. */
export function grantDamage(state: StateReader, damage: Damage | DamageWriter | DamageWatcher): void {
  damages.set(state, damage);
}

/**
 * Returns the damage of the stored state, for the handler that has this state. It is not part of the state itself, so that
 * a feature cannot remove what another one has lost. Only the feature that shows the damage to people imports this.
 *
 * @throws TypeError for an object that is not the state of a handler
 */
export function damageOf<State extends StateReader>(
  state: State,
): State extends StateWriter ? DamageWriter : State extends StateWatcher ? DamageWatcher : Damage {
  const damage = damages.get(state);
  if (damage === undefined) throw new TypeError('The damage is known only for the state of a handler.');
  return damage as ReturnType<typeof damageOf<State>>;
}

export type Quarantine = ReturnType<typeof createQuarantine>;

/** Keys of quarantined values: `quarantine/<id>`. */
export const QUARANTINE = 'quarantine/';

/** Number of values that are quarantined in one write, so that other changes need not wait long for the lock. */
const BATCH = 200;

/** A value that could not be read, as text, and the key under which it is stored. */
interface Listed {
  readonly key: string;
  readonly text: string;
}

/**
 * Keeps stored values that cannot be read, as JSON text in the quarantine. A value that is not JSON stays under its key.
 *
 * @param isHeld returns `true` for the key of a value that must stay there, although it cannot be read
 * @param onFound called when there are values for `moveFound`
 */
export function createQuarantine(
  definitions: readonly Definition<unknown>[],
  isHeld: (key: string) => boolean,
  onFound: () => void,
) {
  /** Keys that may still have an unreadable value. A background tries once to quarantine each. */
  const found = new Set<string>();
  /** The keys in `found` that `moveFound` has not tried yet. */
  let waiting: string[] = [];

  function onInvalid(key: string): void {
    if (found.has(key)) return;
    found.add(key);
    if (isHeld(key)) return;
    waiting.push(key);
    if (waiting.length === 1) onFound();
  }

  async function statusOf(key: string, stored: unknown): Promise<Reading<unknown>['status'] | undefined> {
    const definition = definitions.find((listed) => listed.key === key.split('/', 1)[0]);
    return definition && (await readStored(definition, stored)).status;
  }

  /** Quarantines the values that are still unreadable. Returns the keys that no longer have an unreadable value. */
  async function move(keys: readonly string[], { read, stage }: Turn): Promise<readonly string[]> {
    const stored = await read(keys);
    const moved: string[] = [];
    for (const key of keys) {
      const isInvalid = (await statusOf(key, stored[key])) === 'invalid';
      const entries = isInvalid ? toQuarantine(key, stored[key]) : {};
      if (entries === undefined) continue;
      stage(entries);
      moved.push(key);
    }
    return moved;
  }

  /** Returns the key and the text of a listed value, or `undefined` if it is gone, can be read, or has moved since. */
  async function findListed({ read }: Base, id: string): Promise<Listed | undefined> {
    const { key, at } = parseId(id);
    const name = at > 0 ? QUARANTINE + id : key;
    const { [name]: stored } = await read([name]);
    if (at > 0) return stored === undefined ? undefined : { key: name, text: textOf(stored) };
    return (await statusOf(key, stored)) === 'invalid' ? { key, text: describe(stored) } : undefined;
  }

  return {
    onInvalid,

    /** Returns `true` if an unreadable value may still be stored under this key. */
    isFound: (key: string): boolean => found.has(key),

    /** Quarantines values that JSON text can hold, in batches. Between two batches, other changes take the lock. */
    moveFound: async (inTurn: InTurn): Promise<void> => {
      while (waiting.length > 0) {
        try {
          const moved = await inTurn((turn) => {
            const keys = waiting.slice(0, BATCH);
            waiting = waiting.slice(BATCH);
            return untilAborted(turn.signal, () => move(keys, turn));
          });
          for (const key of moved) found.delete(key);
        } catch (error) {
          // The others would fail too. They stay under their keys.
          waiting = [];
          throw error;
        }
      }
    },

    inspect: async ({ read, list }: Base): Promise<Condition> => {
      // Values of a session are not missed after it.
      const lasting = definitions.filter(({ lifetime }) => lifetime === undefined);
      const documents = lasting.filter(({ kind }) => kind === 'document').map(({ key }) => key);
      const keys = [...new Set([...documents, ...found])];
      // The first change also stores the time of pruning, which shows that the state is not empty.
      const stored = await read([...keys, PRUNED_AT]);
      const kept = await list(QUARANTINE);

      const known: string[] = [];
      const readOnly: string[] = [];
      const unreadable = kept.map((key) => parseId(key.slice(QUARANTINE.length)));
      for (const key of keys) {
        const status = await statusOf(key, stored[key]);
        if (status === 'invalid') {
          onInvalid(key);
          unreadable.push({ id: `0..${key}`, key, at: 0 });
        }
        if (status === 'absent' || !documents.includes(key)) continue;
        known.push(key);
        if (status === 'newer') readOnly.push(key);
      }
      const collections = lasting.filter(({ kind }) => kind === 'collection');
      const records = await Promise.all(collections.map(({ key }) => list(`${key}/`)));
      const isEmpty = [Object.keys(stored), kept, ...records].every(({ length }) => length === 0);
      const present = new Set([...known, ...unreadable.map(({ key }) => key)]);
      const absent = documents.filter((key) => !present.has(key));
      return { isEmpty, documents: known, absent, readOnly, unreadable };
    },

    readText: async (base: Base, id: string): Promise<string | undefined> =>
      (await findListed(base, id))?.text,

    /** Returns the keys under which these values are stored, except those that can be read now or have moved. */
    listedKeys: async (base: Base, ids: readonly string[]): Promise<readonly string[]> => {
      const listed = await Promise.all(ids.map((id) => findListed(base, id)));
      return listed.flatMap((value) => value?.key ?? []);
    },
  };
}

/** Returns the entries that quarantine a value as JSON text, or `undefined` if JSON text cannot represent the whole value. */
export function toQuarantine(key: string, stored: unknown): Entries | undefined {
  const text = toText(stored);
  return text === undefined ? undefined : { ...quarantineText(key, text), [key]: null };
}

/** Returns the entry that keeps a text in the quarantine. `key` says what it is, and is shown to people. */
export function quarantineText(key: string, text: string): Entries {
  // The id contains the time and the key, so `inspect` need not read the texts, which can be large.
  return { [`${QUARANTINE}${Date.now()}.${crypto.randomUUID()}.${key}`]: { text } };
}

/** Returns the entry that keeps a value in the quarantine, as a text that is as close to it as possible. */
export const quarantineValue = (key: string, stored: unknown): Entries =>
  quarantineText(key, typeof stored === 'string' ? stored : describe(stored));

/** Parses an id. For one that is damaged, the key is the whole id, and the time is the first millisecond of 1970. */
function parseId(id: string): Unreadable {
  const [, at = 1, key = id] = /^(\d{1,15})\.[^.]*\.(.*)/su.exec(id) ?? [];
  return { id, key, at: Number(at) };
}

/** Returns the text of a quarantined value. */
function textOf(stored: unknown): string {
  const { text } = Object(stored) as { readonly text?: unknown };
  return typeof text === 'string' ? text : describe(stored);
}

/** Returns text for a person, as close to JSON as possible. Firefox stores values that are not JSON. */
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

/** Returns JSON text from which an equal value can be parsed, or `undefined` if none exists. It escapes lone surrogates. */
function toText(stored: unknown): string | undefined {
  try {
    return survivesJson(stored) ? JSON.stringify(stored) : undefined;
  } catch {
    // Too many levels, or a cycle.
    return undefined;
  }
}

/** @throws RangeError for a cycle, or for too many levels */
function survivesJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value !== 'object') return false;
  // `Object.values` leaves out the holes of an array.
  if (Array.isArray(value)) return Object.values(value).length === value.length && value.every(survivesJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  return Object.values(value).every(survivesJson);
}
