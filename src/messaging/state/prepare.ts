import { type Definition, RESERVED } from '../define/documents.ts';
import { ProcedureError } from '../wire/errors.ts';
import { copyJson, type Json } from '../wire/json.ts';
import { once } from '../wire/waiting.ts';
import { type Entries, type KeyChanges, splitKey, type Store } from './store.ts';
import { isEnvelope, readStored } from './stored.ts';
import { type View, withChanges } from './view.ts';

/** The key under which the core stores which definitions are prepared. */
export const PREPARED = 'prepared/definitions';

/** The definitions that are prepared already. */
interface Prepared {
  /** Keys of definitions that have adopted. */
  readonly adopted: readonly string[];
  /** The session of the browser, and the keys of definitions whose values belong to it. */
  readonly session: string;
  readonly current: readonly string[];
}

interface Options {
  /** The stored values as they are. */
  readonly view: View;
  readonly store: Pick<Store, 'read' | 'list'>;
  /** Returns an id of the browser's session. */
  readonly session: () => Promise<string>;
  readonly log: (error: unknown) => void;
}

/** Nothing is left to prepare. */
const NONE: KeyChanges = new Map();

/**
 * Prepares the stored values before their first use: values of an earlier session of the browser are removed, and data of an
 * earlier extension is adopted. The view includes these changes at once, and so does the next turn, which writes them.
 *
 * @param onFound called when there are such changes
 */
export function createPreparation(
  definitions: readonly Definition<unknown>[],
  options: Options,
  onFound: () => void,
) {
  const { view } = options;
  const isNeeded = definitions.some(({ adopt, lifetime }) => adopt !== undefined || lifetime === 'session');
  if (!isNeeded) return { changes: async () => NONE, view, onWritten: () => {} };
  let unwritten = NONE;

  const find = once(async () => {
    const entries = Object.entries(await findChanges(definitions, options));
    if (entries.length === 0) return;
    unwritten = new Map(entries.map(([key, stored]) => [key, { stored }]));
    onFound();
  });

  /** Returns the changes that no turn has written yet. */
  async function changes(): Promise<KeyChanges> {
    await find();
    return unwritten;
  }

  const prepared = async (): Promise<View> => withChanges(view, await changes());
  const preparedView: View = {
    readings: async (definition, keys) => (await prepared()).readings(definition, keys),
    raw: async (keys) => (await prepared()).raw(keys),
    list: async (prefix) => (await prepared()).list(prefix),
    jobs: async () => (await prepared()).jobs(),
  };
  return { changes, view: preparedView, onWritten: () => void (unwritten = NONE) };
}

async function findChanges(
  definitions: readonly Definition<unknown>[],
  { view, store, session, log }: Options,
): Promise<Entries> {
  const adopting = definitions.filter(({ adopt }) => adopt !== undefined);
  const ofSession = definitions.filter(({ lifetime }) => lifetime === 'session');
  const [stored] = await view.raw([PREPARED]);
  const prepared = parsePrepared(stored);
  const current = ofSession.length === 0 ? '' : await session().catch(notRead);
  const isCurrent = prepared.session === current;
  const earlier = ofSession.filter(({ key }) => !isCurrent || !prepared.current.includes(key));
  const unadopted = adopting.filter(({ key }) => !prepared.adopted.includes(key));
  if (earlier.length + unadopted.length === 0) return {};

  const removals = await toRemoved(earlier, store);
  const adoption = await adoptAll(unadopted, definitions, store);
  for (const { definition, error } of adoption.delayed) {
    const message = `The earlier data of "${definition.key}" was not adopted. It is unchanged.`;
    log(new Error(message, { cause: error }));
  }
  const next: Prepared = {
    adopted: [...prepared.adopted, ...adoption.done.map(({ definition }) => definition.key)],
    session: current,
    current: ofSession.map(({ key }) => key),
  };
  return { ...removals, ...adoption.changes, [PREPARED]: { ...next } };
}

/** Parses the mark. Unreadable parts of it count as missing. */
function parsePrepared(stored: unknown): Prepared {
  const { adopted, session, current } = Object(stored) as Partial<Record<keyof Prepared, unknown>>;
  const keysOf = (list: unknown): readonly string[] =>
    Array.isArray(list) ? list.filter((key) => typeof key === 'string') : [];
  return {
    adopted: keysOf(adopted),
    session: typeof session === 'string' ? session : '',
    current: keysOf(current),
  };
}

const notRead = (cause: unknown): never => {
  throw new ProcedureError({ code: 'NOT_READ' }, { cause });
};

/** Returns the changes that remove all values of some definitions. */
async function toRemoved(
  definitions: readonly Definition<unknown>[],
  { list }: Options['store'],
): Promise<Entries> {
  const lists = await Promise.all(definitions.map(({ key }) => list(`${key}/`)));
  return removing([...definitions.map(({ key }) => key), ...lists.flat()]);
}

const removing = (keys: readonly string[]): Entries => Object.fromEntries(keys.map((key) => [key, null]));

/** The adoption for one definition. */
interface Adopted {
  readonly definition: Definition<unknown>;
  /** Keys of the earlier data. */
  readonly old: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly (readonly [key: string, value: Json])[];
  readonly error?: unknown;
}

async function adoptAll(
  definitions: readonly Definition<unknown>[],
  all: readonly Definition<unknown>[],
  store: Options['store'],
) {
  const adopted: Adopted[] = [];
  for (const definition of definitions) adopted.push(await adoptOne(definition, all, store));
  const delayed = findDelayed(
    adopted,
    adopted.filter(({ error }) => error !== undefined),
  );
  const done = adopted.filter((result) => !delayed.includes(result));
  const changes: Entries = {
    ...removing(done.flatMap(({ removed }) => removed)),
    ...Object.fromEntries(done.flatMap(({ added }) => added)),
  };
  return { done, delayed, changes };
}

/**
 * Returns the results that must wait, because they share a value with one that must wait. Otherwise, the value would be removed
 * before all have adopted it.
 */
function findDelayed(adopted: readonly Adopted[], known: readonly Adopted[]): readonly Adopted[] {
  const kept = new Set(known.flatMap(({ old }) => old));
  const delayed = adopted.filter(
    (result) => known.includes(result) || result.old.some((key) => kept.has(key)),
  );
  return delayed.length === known.length ? known : findDelayed(adopted, delayed);
}

async function adoptOne(
  definition: Definition<unknown>,
  all: readonly Definition<unknown>[],
  { read, list }: Options['store'],
): Promise<Adopted> {
  const { keys = [], prefix, toData = () => [] } = definition.adopt ?? {};
  const listed = prefix === undefined ? [] : await list(prefix);
  const stored = await read([...keys, ...listed.filter((key) => !RESERVED.has(nameOf(key)))]);
  // A value in the stored form under a key of a definition is not data of an earlier extension.
  const isOwn = (key: string): boolean =>
    all.some((own) => own.key === nameOf(key)) && isEnvelope(stored[key]);
  const old = Object.keys(stored).filter((key) => !isOwn(key));
  const result = { definition, old, removed: [], added: [] };
  if (old.length === 0) return result;
  try {
    const data = toData(Object.fromEntries(old.map((key) => [key, stored[key]])));
    const present = await read(data.map(([key]) => key));
    const added = data.filter(([key]) => !isEnvelope(present[key])).map(toFirstVersion);
    for (const [key, value] of added) {
      const reading = await readStored(definition, copyJson(value));
      if (!('data' in reading)) throw new TypeError(`The data of "${key}" does not fit its schema.`);
    }
    return { ...result, added, removed: added.length === 0 ? [] : old.filter((key) => !isKept(key, all)) };
  } catch (error) {
    if (error instanceof ProcedureError) throw error;
    return { ...result, error };
  }
}

/** Returns `true` if a definition keeps this key, which others may adopt as well. */
function isKept(key: string, all: readonly Definition<unknown>[]): boolean {
  return all.some(
    ({ adopt: { keep = false, keys = [], prefix } = {} }) =>
      keep && (keys.includes(key) || (prefix !== undefined && key.startsWith(prefix))),
  );
}

const nameOf = (key: string): string => splitKey(key)[0].replace('/', '');

/** Adopted data has the first version, so that an adoption need not change when a migration is added. */
const toFirstVersion = ([key, data]: readonly [string, Json]) => [key, { version: 1, data }] as const;
