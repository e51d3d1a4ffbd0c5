import { ProcedureError } from '../errors.ts';
import { copyJson, type Json } from '../json.ts';
import { type Definition, isEnvelope, readStored } from './documents.ts';
import { type Entries, type ReliableStore, splitKey, tryTwice, updateKeys } from './store.ts';

interface Options {
  /** Returns an id of the browser's session. */
  readonly session: () => Promise<string>;
  /** Called when there are entries to write soon. */
  readonly onPending: () => void;
  /** Called with the error of an adoption. */
  readonly onFailed: (error: unknown) => void;
}

export type PreparedStore = ReturnType<typeof createPreparation>;

/** Definitions that are prepared together. */
type Group = readonly Definition<unknown>[];

/**
 * A view of the store in which values of an earlier session of the browser are absent, and data of an earlier extension is
 * adopted. Reads see the result before it is written.
 *
 * ```
 *   first use ─▶ proofs stored? ── yes ─▶ nothing to do
 *                      │ no
 *                      └─▶ pending entries, seen by reads ─▶ one write with the proofs: soon, or with the next change
 * ```
 */
export function createPreparation(
  store: ReliableStore,
  definitions: readonly Definition<unknown>[],
  { session, onPending, onFailed }: Options,
) {
  // All adoptions are one group, because two of them may take parts of the same earlier value.
  const groups: readonly Group[] = [
    definitions.filter((definition) => definition.adopt !== undefined),
    ...definitions.filter(({ lifetime }) => lifetime === 'session').map((definition) => [definition]),
  ].filter(({ length }) => length > 0);
  const unprepared = new Set(groups);
  const preparing = new Map<Group, Promise<boolean>>();
  /** Entries to write before other changes of a group. They contain its proofs. */
  const pending = new Map<Group, Entries>();
  /** Keys of definitions whose earlier data could not be adopted. */
  const failed = new Set<string>();

  /** Prepares the definitions of these keys. Resolves with `true` if the store was already prepared for them. */
  async function prepareFor(keys: readonly string[]): Promise<boolean> {
    if (unprepared.size === 0) return true;
    const used = usedBy(keys, [...unprepared]);
    const results = await Promise.all(used.map((group) => preparing.get(group) ?? prepare(group)));
    return results.every(Boolean);
  }

  function prepare(group: Group): Promise<boolean> {
    const work = findPending(group)
      .then((isPrepared) => {
        unprepared.delete(group);
        return isPrepared;
      })
      .finally(() => preparing.delete(group));
    preparing.set(group, work);
    return work;
  }

  async function findPending(group: Group): Promise<boolean> {
    const isSession = group[0]?.lifetime === 'session';
    const proof = isSession ? await tryTwice(session) : true;
    const found = await store.read(group.map(proofKey));
    const missing = group.filter((definition) => found[proofKey(definition)] !== proof);
    if (missing.length === 0) return true;

    const { changes, done } = isSession ? await removeAll(missing) : await adoptAll(missing);
    if (done.length === 0) return false;
    const proofs = done.map((definition) => [proofKey(definition), proof] as const);
    pending.set(group, { ...changes, ...Object.fromEntries(proofs) });
    // Proofs alone can wait for the next change.
    if (Object.keys(changes).length > 0) onPending();
    return false;
  }

  async function removeAll(group: Group): Promise<Prepared> {
    const lists = await Promise.all(group.map(({ key }) => store.list(`${key}/`)));
    const stored = await store.read(group.map(({ key }) => key));
    return { changes: toRemoved([...Object.keys(stored), ...lists.flat()]), done: group };
  }

  async function adoptAll(group: Group): Promise<Prepared> {
    const adopted: Adopted[] = [];
    for (const definition of group) adopted.push(await adopt(definition));
    // A value that one definition could not adopt must not be removed by another one.
    const kept = new Set(adopted.flatMap(({ error, old }) => (error === undefined ? [] : old)));
    const done = adopted.filter(({ old }) => !old.some((key) => kept.has(key)));
    for (const { definition, error } of adopted.filter((result) => !done.includes(result))) {
      failed.add(definition.key);
      const message = `The earlier data of "${definition.key}" was not adopted. It is unchanged.`;
      onFailed(new Error(message, { cause: error }));
    }
    return {
      changes: {
        ...toRemoved(done.flatMap(({ removed }) => removed)),
        ...Object.fromEntries(done.flatMap(({ added }) => added)),
      },
      done: done.map(({ definition }) => definition),
    };
  }

  async function adopt(definition: Definition<unknown>): Promise<Adopted> {
    const { keys = [], prefix, keep = false, toData = () => [] } = definition.adopt ?? {};
    const names = [...keys, ...(prefix === undefined ? [] : await store.list(prefix))];
    const stored = await store.read(names);
    // A value in the stored form under a key of the definition is not data of an earlier extension.
    const isOwn = (key: string): boolean => nameOf(key) === definition.key && isEnvelope(stored[key]);
    const old = Object.keys(stored).filter((key) => !isOwn(key));
    const result = { definition, old, removed: [], added: [] };
    if (old.length === 0) return result;
    try {
      const data = toData(Object.fromEntries(old.map((key) => [key, stored[key]])));
      const present = await store.read(data.map(([key]) => key));
      const added = data.filter(([key]) => !isEnvelope(present[key])).map(toFirstVersion);
      for (const [key, value] of added) {
        const reading = await readStored(definition, copyJson(value));
        if (!('data' in reading)) throw new TypeError(`The data of "${key}" does not fit its schema.`);
      }
      return { ...result, added, removed: keep || added.length === 0 ? [] : old };
    } catch (error) {
      if (error instanceof ProcedureError) throw error;
      return { ...result, error };
    }
  }

  const overlay = (): ReadonlyMap<string, Json | null> =>
    new Map(Array.from(pending.values(), (entries) => Object.entries(entries)).flat());

  const isPrepared = (): boolean => unprepared.size === 0 && pending.size === 0;

  async function readPrepared(keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
    // Usually the store is prepared, so the values are read at the same time as the proofs.
    const reading = pending.size === 0 ? store.read(keys) : undefined;
    const [wasPrepared, early] = await Promise.all([prepareFor(keys), reading]);
    if (wasPrepared && early !== undefined) return early;

    const changes = overlay();
    const stored = { ...(await store.read(keys.filter((key) => !changes.has(key)))) };
    for (const key of keys) {
      const value = changes.get(key) ?? null;
      // Handlers may change what they get.
      if (value !== null) stored[key] = copyJson(value);
    }
    return stored;
  }

  return {
    /** @throws ProcedureError `NOT_READ` */
    read: (keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> =>
      isPrepared() ? store.read(keys) : readPrepared(keys),

    /** Returns the keys that begin with a prefix, in order. @throws ProcedureError `NOT_READ` */
    list: async (prefix: string): Promise<readonly string[]> => {
      await prepareFor([prefix]);
      const changes = overlay();
      return updateKeys(await store.list(prefix), prefix, changes);
    },

    /** Drops pending entries that another background has written. Call it under the lock. @throws ProcedureError `NOT_READ` */
    dropWritten: async (): Promise<void> => {
      if (isPrepared()) return;
      await Promise.allSettled(preparing.values());
      for (const [group, entries] of pending) {
        const found = await store.read(group.map(proofKey));
        if (Object.keys(found).some((key) => found[key] === entries[key])) pending.delete(group);
      }
    },

    /** Returns entries together with the pending ones that must be written before them. */
    complete: (entries: Entries): Entries => {
      const before = usedBy(Object.keys(entries), [...pending.keys()]).map((group) => pending.get(group));
      return before.length === 0 ? entries : (Object.assign({}, ...before, entries) as Entries);
    },

    /** Call it after a write of entries. If the result is unknown, their definitions are prepared again. */
    onWritten: (entries: Entries, isKnown: boolean): void => {
      for (const group of pending.keys()) {
        if (!group.some((definition) => Object.hasOwn(entries, proofKey(definition)))) continue;
        pending.delete(group);
        if (!isKnown) unprepared.add(group);
      }
    },

    /** Returns all pending entries. */
    pending: (): Entries => Object.fromEntries(overlay()),

    /** Returns `true` if a value could not be adopted, so that it stays under its key until it is replaced. */
    isHeld: (key: string): boolean => failed.has(nameOf(key)),
  };
}

/** Changes that prepare definitions. */
interface Prepared {
  readonly changes: Entries;
  readonly done: Group;
}

/** The adoption for one definition. */
interface Adopted {
  readonly definition: Definition<unknown>;
  /** Keys of the earlier data. */
  readonly old: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly (readonly [key: string, value: Json])[];
  readonly error?: unknown;
}

const nameOf = (key: string): string => splitKey(key)[0].replace('/', '');

const proofKey = ({ key }: Definition<unknown>): string => `prepared/${key}`;

/** Returns the groups to which some of these keys belong. */
function usedBy(keys: readonly string[], groups: readonly Group[]): readonly Group[] {
  if (groups.length === 0) return [];
  const names = new Set(keys.map(nameOf));
  return groups.filter((group) => group.some(({ key }) => names.has(key)));
}

const toRemoved = (keys: readonly string[]): Entries => Object.fromEntries(keys.map((key) => [key, null]));

/** Adopted data has the first version, so that an adoption need not change when a migration is added. */
const toFirstVersion = ([key, data]: readonly [string, Json]) => [key, { version: 1, data }] as const;
