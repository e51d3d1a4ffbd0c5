import { untilAborted } from '../deadline.ts';
import { ProcedureError } from '../errors.ts';
import { copyJson, type Json } from '../json.ts';
import { type Definition, isEnvelope, readStored, RESERVED } from './documents.ts';
import { type Entries, splitKey, tryTwice } from './store.ts';
import type { Base } from './transaction.ts';

interface Options {
  /** Returns an id of the browser's session. */
  readonly session: () => Promise<string>;
  /** Called with the error of an adoption. */
  readonly onFailed: (error: unknown) => void;
}

export type Preparation = ReturnType<typeof createPreparation>;

/** Definitions that are prepared together. */
type Group = readonly Definition<unknown>[];

/** Changes that prepare a group, and proofs that it is prepared. */
interface Prepared {
  readonly changes: Entries;
  readonly proofs: Entries;
}

/**
 * Removes values of an earlier session of the browser, and adopts data of an earlier extension, before the first use.
 *
 * ```
 *   first use ─▶ proofs stored? ── yes ─▶ nothing to do
 *                      │ no
 *                      └─▶ in a turn: changes? ── yes ─▶ one write with the proofs
 *                                        │ no
 *                                        └─▶ the proofs wait for the next write
 * ```
 */
export function createPreparation(
  definitions: readonly Definition<unknown>[],
  { session, onFailed }: Options,
) {
  // All adoptions are one group, because two of them may take parts of the same earlier value.
  const groups: readonly Group[] = [
    definitions.filter((definition) => definition.adopt !== undefined),
    ...definitions.filter(({ lifetime }) => lifetime === 'session').map((definition) => [definition]),
  ].filter(({ length }) => length > 0);
  const unprepared = new Set(groups);
  const defined = new Set(definitions.map(({ key }) => key));
  /** Proofs to store with the next write. */
  let owed: Entries = {};
  let sessionId: Promise<string> | undefined;
  /** Keys of definitions whose earlier data could not be adopted. */
  const failed = new Set<string>();

  function readSession(): Promise<string> {
    sessionId ??= tryTwice(session);
    sessionId.catch(() => (sessionId = undefined));
    return sessionId;
  }

  /** Returns the unprepared groups to which one of these keys belongs. */
  function findUnprepared(keys: readonly string[]): readonly Group[] {
    if (unprepared.size === 0) return [];
    const names = new Set(keys.map(nameOf));
    // The core may replace an earlier value under one of its own keys, so that value is adopted first.
    return [...unprepared].filter((group) =>
      group.some(
        ({ key, adopt: from }) => names.has(key) || from?.keys?.some((earlier) => names.has(earlier)),
      ),
    );
  }

  /** Returns the definitions of a group that are not prepared, and the proof that they need. */
  async function findMissing(group: Group, { read }: Base) {
    const proof = group[0]?.lifetime === 'session' ? await readSession() : true;
    const found = await read(group.map(proofKey));
    return { proof, missing: group.filter((definition) => found[proofKey(definition)] !== proof) };
  }

  async function prepare(group: Group, base: Base): Promise<Prepared> {
    const { proof, missing } = await findMissing(group, base);
    const isSession = group[0]?.lifetime === 'session';
    const { changes, done } = isSession ? await removeAll(missing, base) : await adoptAll(missing, base);
    return { changes, proofs: Object.fromEntries(done.map((definition) => [proofKey(definition), proof])) };
  }

  async function removeAll(group: Group, { read, list }: Base): Promise<Changed> {
    const lists = await Promise.all(group.map(({ key }) => list(`${key}/`)));
    const stored = await read(group.map(({ key }) => key));
    return { changes: toRemoved([...Object.keys(stored), ...lists.flat()]), done: group };
  }

  async function adoptAll(group: Group, base: Base): Promise<Changed> {
    const adopted: Adopted[] = [];
    for (const definition of group) adopted.push(await adopt(definition, base));
    const delayed = findDelayed(
      adopted,
      adopted.filter(({ error }) => error !== undefined),
    );
    const done = adopted.filter((result) => !delayed.includes(result));
    for (const { definition, error } of delayed) {
      if (failed.has(definition.key)) continue;
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

  /**
   * Returns the results that must wait, because they share a value with one that must wait. Otherwise, the value would be
   * removed before all have adopted it.
   */
  function findDelayed(adopted: readonly Adopted[], known: readonly Adopted[]): readonly Adopted[] {
    const kept = new Set(known.flatMap(({ old }) => old));
    const delayed = adopted.filter(
      (result) => known.includes(result) || result.old.some((key) => kept.has(key)),
    );
    return delayed.length === known.length ? known : findDelayed(adopted, delayed);
  }

  /** Returns `true` if a definition keeps this key, which others may adopt as well. */
  function isKept(key: string): boolean {
    return definitions.some(
      ({ adopt: { keep = false, keys = [], prefix } = {} }) =>
        keep && (keys.includes(key) || (prefix !== undefined && key.startsWith(prefix))),
    );
  }

  async function adopt(definition: Definition<unknown>, { read, list }: Base): Promise<Adopted> {
    const { keys = [], prefix, toData = () => [] } = definition.adopt ?? {};
    const listed = prefix === undefined ? [] : await list(prefix);
    const stored = await read([...keys, ...listed.filter((key) => !RESERVED.has(nameOf(key)))]);
    // A value in the stored form under a key of a definition is not data of an earlier extension.
    const isOwn = (key: string): boolean => defined.has(nameOf(key)) && isEnvelope(stored[key]);
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
      return { ...result, added, removed: added.length === 0 ? [] : old.filter((key) => !isKept(key)) };
    } catch (error) {
      if (error instanceof ProcedureError) throw error;
      return { ...result, error };
    }
  }

  return {
    /** Returns `true` if nothing has to be done before these keys are read. */
    isPrepared: async (keys: readonly string[], base: Base): Promise<boolean> => {
      for (const group of findUnprepared(keys)) {
        if ((await findMissing(group, base)).missing.length > 0) return false;
        unprepared.delete(group);
      }
      return true;
    },

    /**
     * Starts the preparations of one turn.
     *
     * @param base the stored values, with the changes of the turn
     * @param stage adds changes to the turn
     * @param signal ends the turn
     */
    startTurn: (base: Base, stage: (entries: Entries) => void, signal: AbortSignal) => {
      const preparing = new Map<Group, Promise<void>>();
      const prepared = new Set<Group>();
      const proofs: Record<string, Json> = {};
      async function prepareIn(group: Group): Promise<void> {
        const found = await untilAborted(signal, () => prepare(group, base));
        stage(found.changes);
        Object.assign(proofs, found.proofs);
        prepared.add(group);
      }
      return {
        /** Call it before these keys are read in the turn. */
        prepareFor: async (keys: readonly string[]): Promise<void> => {
          for (const group of findUnprepared(keys)) {
            const work = preparing.get(group) ?? prepareIn(group);
            preparing.set(group, work);
            await work;
          }
        },
        /** Returns entries together with the proofs to write. */
        complete: (entries: Entries): Entries => ({ ...owed, ...proofs, ...entries }),
        /** Call it after the turn, with the written entries. */
        onEnd: (written: Entries): void => {
          for (const group of prepared) unprepared.delete(group);
          const isOwed = ([key]: readonly [string, Json]): boolean => !Object.hasOwn(written, key);
          owed = Object.fromEntries(Object.entries({ ...owed, ...proofs }).filter(isOwed));
        },
      };
    },

    /** Returns `true` if a value could not be adopted, so that it stays under its key until it is replaced. */
    isHeld: (key: string): boolean => failed.has(nameOf(key)),
  };
}

/** Changes that prepare definitions. */
interface Changed {
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

const toRemoved = (keys: readonly string[]): Entries => Object.fromEntries(keys.map((key) => [key, null]));

/** Adopted data has the first version, so that an adoption need not change when a migration is added. */
const toFirstVersion = ([key, data]: readonly [string, Json]) => [key, { version: 1, data }] as const;
