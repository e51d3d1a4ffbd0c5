import { type Definition, RESERVED } from '../define/documents.ts';
import { ProcedureError } from '../wire/errors.ts';
import { copyJson, type Json } from '../wire/json.ts';
import { type Entries, splitKey, type Store } from './store.ts';
import { isEnvelope, readStored } from './stored.ts';
import { type InTurn, stage, type Turn } from './turn.ts';
import type { View } from './view.ts';

/** The key under which the core stores which definitions are prepared. */
export const PREPARED = 'prepared/definitions';

/** The definitions that need no preparation. */
interface Proof {
  /** Keys of definitions that have adopted. */
  readonly adopted: readonly string[];
  /** The session of the browser, and the keys of definitions whose values belong to it. */
  readonly session: string;
  readonly current: readonly string[];
}

interface Options {
  readonly inTurn: InTurn;
  readonly view: View;
  readonly store: Pick<Store, 'read' | 'list'>;
  /** Returns an id of the browser's session. */
  readonly session: () => Promise<string>;
  readonly log: (error: unknown) => void;
}

/**
 * Returns turns and a view that prepare the stored values before their first use: in one turn, values of an earlier session of
 * the browser are removed, and data of an earlier extension is adopted.
 */
export function withPreparation(
  definitions: readonly Definition<unknown>[],
  options: Options,
): Pick<Options, 'inTurn' | 'view'> {
  const { inTurn, view, log } = options;
  const isNeeded = definitions.some(({ adopt, lifetime }) => adopt !== undefined || lifetime === 'session');
  if (!isNeeded) return { inTurn, view };
  let isPrepared = false;
  const prepare = createPreparation(definitions, options);

  const inPreparedTurn: InTurn = async (work, keys) => {
    if (isPrepared) return inTurn(work, keys);
    const result = await inTurn(async (turn) => {
      await prepare(turn);
      return work(turn);
    }, keys);
    isPrepared = true;
    return result;
  };

  /** Looks at the stored values. Before the first use, in a turn that prepares them. */
  async function look<T>(work: (prepared: View) => Promise<T>): Promise<T> {
    if (isPrepared) return work(view);
    let seen: Promise<T> | undefined;
    try {
      return await inPreparedTurn((turn) => (seen = work(turn.view)));
    } catch (error) {
      if (seen === undefined) throw error;
      // The result is valid, although the preparation could not be written, for example to a full disk.
      const result = await seen;
      log(error);
      return result;
    }
  }

  return {
    inTurn: inPreparedTurn,
    view: {
      readings: (definition, keys) => look((prepared) => prepared.readings(definition, keys)),
      raw: (keys) => look((prepared) => prepared.raw(keys)),
      list: (prefix) => look((prepared) => prepared.list(prefix)),
      records: () => look((prepared) => prepared.records()),
    },
  };
}

/** Returns a function that stages all preparations in a turn, and the proof that they are made. */
function createPreparation(definitions: readonly Definition<unknown>[], { store, session, log }: Options) {
  const adopting = definitions.filter(({ adopt }) => adopt !== undefined);
  const ofSession = definitions.filter(({ lifetime }) => lifetime === 'session');
  /** Keys of definitions whose earlier data could not be adopted. The next background tries again. */
  const failed = new Set<string>();

  return async (turn: Turn): Promise<void> => {
    const [stored] = await turn.view.raw([PREPARED]);
    const proof = parseProof(stored);
    const current = ofSession.length === 0 ? '' : await session().catch(notRead);
    const isCurrent = proof.session === current;
    const earlier = ofSession.filter(({ key }) => !isCurrent || !proof.current.includes(key));
    const unadopted = adopting.filter(({ key }) => !proof.adopted.includes(key) && !failed.has(key));
    if (earlier.length + unadopted.length === 0) return;

    const adoption = await adoptAll(unadopted, definitions, store);
    for (const { definition, error } of adoption.delayed) {
      failed.add(definition.key);
      const message = `The earlier data of "${definition.key}" was not adopted. It is unchanged.`;
      log(new Error(message, { cause: error }));
    }
    const next: Proof = {
      adopted: [...proof.adopted, ...adoption.done.map(({ definition }) => definition.key)],
      session: current,
      current: ofSession.map(({ key }) => key),
    };
    stage(turn, { ...(await toRemoved(earlier, store)), ...adoption.changes });
    stage(turn, { [PREPARED]: next as unknown as Json });
  };
}

function parseProof(stored: unknown): Proof {
  const { adopted, session, current } = Object(stored) as Partial<Record<keyof Proof, unknown>>;
  const keysOf = (list: unknown): readonly string[] => (Array.isArray(list) ? (list as string[]) : []);
  return {
    adopted: keysOf(adopted),
    session: String(session),
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
