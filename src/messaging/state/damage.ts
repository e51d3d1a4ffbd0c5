import type { Definition } from '../define/documents.ts';
import type { StateReader, StateWatcher, StateWriter } from '../define/handler-state.ts';
import { PRUNED_AT } from './journal.ts';
import type { KeyedChange } from './store.ts';
import type { Reading } from './stored.ts';
import type { View } from './view.ts';

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
  /** Keys of documents that are not stored. */
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

/** Keys of quarantined values: `quarantine/<id>`. */
export const QUARANTINE = 'quarantine/';

/** The parts of the state that show its damage. */
export interface Damaged {
  readonly view: View;
  readonly definitions: readonly Definition<unknown>[];
  /** Keys of values that were found unreadable, and that nothing has replaced. */
  readonly unreadable: ReadonlySet<string>;
}

/** Creates the damage that a handler sees, except what only some of them may do. */
export const createDamage = (damaged: Damaged): Damage => ({
  inspect: () => inspect(damaged),
  readText: async (id) => (await findUnreadable(damaged, id))?.text,
});

/**
 * Returns the condition of the stored state. A value that cannot be read stays under its key until something replaces it. Its
 * text moves to the quarantine in the same write.
 */
async function inspect({ view, definitions, unreadable }: Damaged): Promise<Condition> {
  // Values of a session are not missed after it.
  const lasting = definitions.filter(({ lifetime }) => lifetime === undefined);
  const documents = lasting.filter(({ kind }) => kind === 'document');
  const readings = await Promise.all(documents.map((document) => view.readings(document, [document.key])));
  const keysWith = (isWanted: (status: Reading<unknown>['status'] | undefined) => boolean) =>
    documents.flatMap(({ key }, index) => (isWanted(readings[index]?.[0]?.status) ? [key] : []));
  const stored = keysWith((status) => status !== 'absent');
  const quarantined = await view.list(QUARANTINE);
  // The first change also stores the time of pruning, see `journal.ts`. It shows that the state is not empty.
  const [prunedAt] = await view.raw([PRUNED_AT]);
  const collections = lasting.filter(({ kind }) => kind === 'collection');
  const records = await Promise.all(collections.map(({ key }) => view.list(`${key}/`)));
  return {
    isEmpty: prunedAt === undefined && [stored, quarantined, ...records].every(({ length }) => length === 0),
    documents: stored,
    absent: keysWith((status) => status === 'absent'),
    readOnly: keysWith((status) => status === 'newer'),
    unreadable: [
      ...quarantined.map((key) => parseId(key.slice(QUARANTINE.length))),
      ...[...unreadable].map((key) => ({ id: `0..${key}`, key, at: 0 })),
    ],
  };
}

/** Returns the keys under which these values are stored, except those that can be read now or have moved. */
export async function unreadableKeys(damaged: Damaged, ids: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(ids.map((id) => findUnreadable(damaged, id)));
  return found.flatMap((value) => value?.key ?? []);
}

/** Finds a value by its id. An id comes from a page, so it can be any text. */
async function findUnreadable(
  { view, definitions }: Damaged,
  id: string,
): Promise<{ readonly key: string; readonly text: string | undefined } | undefined> {
  const { key, at } = parseId(id);
  if (at > 0) {
    const quarantined = QUARANTINE + id;
    if (!(await view.list(QUARANTINE)).includes(quarantined)) return undefined;
    const [stored] = await view.raw([quarantined]);
    return { key: quarantined, text: stored === undefined ? undefined : textOf(stored) };
  }
  const definition = definitions.find((listed) =>
    listed.kind === 'document' ? key === listed.key : key.startsWith(`${listed.key}/`),
  );
  const [reading] = definition === undefined ? [] : await view.readings(definition, [key]);
  return reading?.status === 'unreadable' ? { key, text: describe(reading.stored) } : undefined;
}

/** Returns the change that keeps a text in the quarantine. `key` says what it is, and is shown to people. */
export function toQuarantine(key: string, text: string): KeyedChange {
  // The id contains the time and the key, so `inspect` need not read the texts, which can be large.
  return [`${QUARANTINE}${Date.now()}.${crypto.randomUUID()}.${key}`, { stored: { text } }];
}

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
export function describe(stored: unknown): string {
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
