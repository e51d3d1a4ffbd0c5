import {
  type CollectionDefinition,
  type Definition,
  type DocumentDefinition,
  keyOf,
} from '../define/documents.ts';
import type { StateWriter, TaskDefinition } from '../define/handler-state.ts';
import type { Task } from '../define/tasks.ts';
import { ProcedureError } from '../wire/errors.ts';
import { freeze } from '../define/frozen.ts';
import { copyJson, type Json } from '../wire/json.ts';
import { isJobKey, QUEUE, type Job, toChange } from './job.ts';
import { grantDamage, inspect, listedKeys, readText, toQuarantine } from './damage.ts';
import type { Change } from './memory.ts';
import { checkListed, checkTask, createReader, type Listed } from './reader.ts';
import { type Reading, toStored, validate } from './stored.ts';
import { type View, withChanges } from './view.ts';

/** The parts of the state that all transactions share. */
export interface TransactionContext extends Listed {
  readonly tasks: readonly Task<never>[];
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

/** A change that is not validated yet. */
interface Draft extends Change {
  /** The definition of the data. */
  readonly definition?: Definition<unknown>;
  /** Validates a change of the queue. Returns `false` if there is nothing to change. */
  readonly check?: () => Promise<boolean>;
}

/** Opens a transaction in a turn. `view` includes the changes of the turn. */
export function openTransaction(
  view: View,
  changes: Map<string, Change>,
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

  function write<Data>(document: DocumentDefinition<Data>, data: NoInfer<Data>): void {
    stageData(document, document.key, data);
  }

  function remove(collection: CollectionDefinition<unknown>, id: string): void {
    checkListed(context, collection);
    stage(keyOf(collection, id), { stored: null, definition: collection });
  }

  function enqueue(
    task: TaskDefinition<never>,
    given: unknown,
    { delay = 0 }: { readonly delay?: number } = {},
  ): string {
    checkTask(context, task);
    const job = createTask(task.name, copyJson(given), delay);
    const key = context.nextKey();
    const check = async () => {
      await validate(`the task "${task.name}"`, (task as Task<never>).data, job.data as Json);
      return true;
    };
    stage(key, { ...toChange(job), check });
    return key.slice(QUEUE.length);
  }

  function cancel(task: TaskDefinition<never>, id: string): void {
    checkTask(context, task);
    const key = QUEUE + id;
    const draft = drafts.get(key)?.value as Job | undefined;
    checkName(task, id, draft);
    const check = async () => {
      const job = (await view.jobs()).get(key);
      checkName(task, id, job);
      // The key may be that of an event that is being noted, and removing it would lose the event.
      return job !== undefined;
    };
    // A page may have sent any text as the id.
    if (isJobKey(key)) stage(key, { stored: null, check });
  }

  async function merge(signal: AbortSignal): Promise<void> {
    isOpen = false;
    const originals = await readOriginals(view, drafts);
    const merged: (readonly [key: string, change: Change])[] = [];
    for (const [key, draft] of drafts) {
      const original = originals.get(key);
      if (original?.status === 'newer') throw new ProcedureError({ code: 'READ_ONLY' });
      if (original?.status === 'unreadable') {
        for (const [entry, stored] of Object.entries(toQuarantine(key, original.stored)))
          merged.push([entry, { stored }]);
      }
      if ((await draft.check?.()) === false) continue;
      merged.push([key, await validated(key, draft)]);
    }
    signal.throwIfAborted();
    for (const [key, change] of merged) changes.set(key, change);
  }

  const state: StateWriter = {
    ...reader,
    write,
    update: (document, change) => {
      const update = async () => {
        const data = change(await reader.read(document));
        write(document, data);
        return data;
      };
      const updated = updating.then(update, update);
      updating = updated;
      return updated;
    },
    set: (collection, id, data) => stageData(collection, keyOf(collection, id), data),
    remove,
    enqueue,
    cancel,
  };
  const damaged = { ...context, view: current };
  grantDamage(state, {
    inspect: () => inspect(damaged),
    readText: (id) => readText(damaged, id),
    discard: async (ids) => {
      for (const key of await listedKeys(damaged, ids)) stage(key, { stored: null });
    },
  });
  return { state, merge, close: () => void (isOpen = false) };
}

/** Reads the values that changes replace. */
async function readOriginals(
  view: View,
  drafts: ReadonlyMap<string, Draft>,
): Promise<ReadonlyMap<string, Reading<unknown>>> {
  const keys = new Map<Definition<unknown>, string[]>();
  for (const [key, { definition }] of drafts) {
    if (definition === undefined) continue;
    const others = keys.get(definition);
    if (others === undefined) keys.set(definition, [key]);
    else others.push(key);
  }
  const originals = new Map<string, Reading<unknown>>();
  for (const [definition, some] of keys) {
    const readings = await view.readings(definition, some);
    for (const [index, key] of some.entries()) originals.set(key, readings[index] as Reading<unknown>);
  }
  return originals;
}

/** Returns a change with its value as readers get it. @throws TypeError for data that does not fit its schema */
async function validated(key: string, draft: Draft): Promise<Change> {
  const { definition, stored, size, value } = draft;
  if (definition === undefined) return { stored, value };
  if (stored === null) return { stored, value: { status: 'absent' }, size: 0 };
  const { data } = stored as { readonly data: never };
  const fitting = await validate(`"${key}"`, definition.schema, data);
  return { stored, value: { status: 'current', data: freeze(fitting) }, size: size ?? 0 };
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
function checkName({ name }: TaskDefinition<never>, id: string, job: Job | undefined): void {
  if (job === undefined || (job.kind === 'task' && job.name === name)) return;
  throw new TypeError(`The task "${id}" is not a "${name}".`);
}
