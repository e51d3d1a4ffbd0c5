import { type Definition, keyOf } from '../define/documents.ts';
import type { StateWriter } from '../define/handler-state.ts';
import type { Task } from '../define/tasks.ts';
import { ProcedureError } from '../wire/errors.ts';
import { freeze } from '../define/frozen.ts';
import { copyJson, type Json } from '../wire/json.ts';
import { isJobKey, QUEUE, type Job, toChange } from './job.ts';
import { createDamage, describe, grantDamage, toQuarantine, unreadableKeys } from './damage.ts';
import type { KeyChange, KeyedChange } from './store.ts';
import { checkListed, findTask, createReader, type Listed } from './reader.ts';
import { type Reading, toStored, validate } from './stored.ts';
import { type View, withChanges } from './view.ts';

/** The parts of the state that all transactions share. */
export interface TransactionContext extends Listed {
  /** Keys of values that were found unreadable. */
  readonly unreadable: ReadonlySet<string>;
  /** Returns the key of a new job. */
  readonly nextKey: () => string;
}

/** The changes of one handler until they join those of its turn. */
export interface Transaction {
  readonly state: StateWriter;
  /**
   * Refuses further changes, validates all, and adds them to those of the turn, unless the signal is aborted.
   *
   * @throws ProcedureError `READ_ONLY` for a value of a newer version, or `NOT_READ`
   * @throws TypeError for data that does not fit its schema, or for a task that was cancelled under another name
   */
  readonly merge: (signal: AbortSignal) => Promise<void>;
  /** Refuses further changes. */
  readonly close: () => void;
}

/** A change that is not validated yet: of data with its definition, or of a task. */
interface Draft extends KeyChange {
  readonly definition?: Definition<unknown>;
  readonly task?: Task<never>;
}

/** Opens a transaction in a turn. `view` includes the changes of the turn. */
export function openTransaction(
  view: View,
  changes: Map<string, KeyChange>,
  context: TransactionContext,
): Transaction {
  const drafts = new Map<string, Draft>();
  const current = withChanges(view, drafts);
  const reader = createReader(current, context);
  let isOpen = true;
  /** The latest update. The next one waits for it, so that it reads what this one has written. */
  let updating: Promise<unknown> = Promise.resolve();

  function stage(key: string, draft: Draft): void {
    if (!isOpen)
      throw new Error('Only a mutation can change the state, and only until it ends or runs out of time.');
    drafts.set(key, draft);
  }

  function stageData(definition: Definition<unknown>, key: string, data: unknown): void {
    checkListed(context, definition);
    stage(key, { ...toStored(definition, data), definition });
  }

  const state: StateWriter = {
    ...reader,
    write: (document, data) => stageData(document, document.key, data),
    update: (document, change) => {
      const update = async () => {
        const data = change(await reader.read(document));
        stageData(document, document.key, data);
        return data;
      };
      const updated = updating.then(update, update);
      updating = updated;
      return updated;
    },
    set: (collection, id, data) => stageData(collection, keyOf(collection, id), data),
    remove: (collection, id) => {
      checkListed(context, collection);
      stage(keyOf(collection, id), { stored: null, definition: collection });
    },
    enqueue: (definition, data, { delay = 0 } = {}) => {
      const task = findTask(context, definition);
      const job = createTask(task.name, copyJson(data), delay);
      const key = context.nextKey();
      stage(key, { ...toChange(job), task });
      return key.slice(QUEUE.length);
    },
    cancel: (definition, id) => {
      const task = findTask(context, definition);
      const key = QUEUE + id;
      checkName(task, key, drafts.get(key)?.value as Job | undefined);
      // A page may have sent any text as the id.
      if (isJobKey(key)) stage(key, { stored: null, task });
    },
  };
  const damaged = { ...context, view: current };
  grantDamage(state, {
    ...createDamage(damaged),
    discard: async (ids) => {
      for (const key of await unreadableKeys(damaged, ids)) stage(key, { stored: null });
    },
  });

  return {
    state,
    merge: async (signal) => {
      isOpen = false;
      const merged = await validateAll(view, drafts);
      signal.throwIfAborted();
      for (const [key, change] of merged) changes.set(key, change);
    },
    close: () => void (isOpen = false),
  };
}

/** Returns the changes to write. Adds those that keep unreadable values in the quarantine. */
async function validateAll(view: View, drafts: ReadonlyMap<string, Draft>) {
  const originals = await readOriginals(view, drafts);
  const changes: KeyedChange[] = [];
  for (const [key, draft] of drafts) {
    const original = originals.get(key);
    if (original?.status === 'newer') throw new ProcedureError({ code: 'READ_ONLY' });
    if (original?.status === 'unreadable') changes.push(toQuarantine(key, describe(original.stored)));
    const change =
      draft.task === undefined
        ? await validateData(key, draft)
        : await validateTask(view, key, draft.task, draft);
    if (change !== undefined) changes.push([key, change]);
  }
  return changes;
}

/** Reads the values that changes of data replace. */
async function readOriginals(view: View, drafts: ReadonlyMap<string, Draft>) {
  const originals = new Map<string, Reading<unknown>>();
  for (const definition of new Set([...drafts.values()].map((draft) => draft.definition))) {
    if (definition === undefined) continue;
    const keys = [...drafts.keys()].filter((key) => drafts.get(key)?.definition === definition);
    const readings = await view.readings(definition, keys);
    for (const [index, key] of keys.entries()) originals.set(key, readings[index] as Reading<unknown>);
  }
  return originals;
}

/** Returns a change of data with its value as readers get it. @throws TypeError for data that does not fit its schema */
async function validateData(key: string, { definition, stored, size = 0 }: Draft): Promise<KeyChange> {
  // Unreadable values that are discarded have no definition.
  if (definition === undefined) return { stored };
  if (stored === null) return { stored, value: { status: 'absent' }, size };
  const { data } = stored as { readonly data: never };
  const fitting = await validate(`"${key}"`, definition.schema, data);
  return { stored, value: { status: 'current', data: freeze(fitting) }, size };
}

/** Returns a change of a task, or `undefined` if a task to cancel does not exist. @throws TypeError for data that does not fit */
async function validateTask(
  view: View,
  key: string,
  task: Task<never>,
  { stored, value }: KeyChange,
): Promise<KeyChange | undefined> {
  if (stored !== null) {
    await validate(`the task "${task.name}"`, task.data, (value as Job).data);
    return { stored, value };
  }
  const job = (await view.jobs()).get(key);
  checkName(task, key, job);
  // The key may be that of an event that is being noted, and removing it would lose the event.
  return job && { stored };
}

/** Returns a new task. @throws TypeError for an invalid delay */
function createTask(name: string, data: Json, delay: number): Job {
  if (!(Number.isFinite(delay) && delay >= 0))
    throw new TypeError('The delay of a task must be a number of milliseconds.');
  const at = Date.now() + delay;
  const key = crypto.randomUUID();
  return { kind: 'task', name, data, key, at, tries: 0, deaths: 0, due: at, wait: delay };
}

/** @throws TypeError for a task of another name */
function checkName({ name }: Task<never>, key: string, job: Job | undefined): void {
  if (job === undefined || (job.kind === 'task' && job.name === name)) return;
  throw new TypeError(`The task "${key.slice(QUEUE.length)}" is not a "${name}".`);
}
