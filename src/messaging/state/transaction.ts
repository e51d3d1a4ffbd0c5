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
import { isRecordKey, QUEUE, type QueueRecord, toChange } from './queue-record.ts';
import { grantDamage, inspect, listedKeys, readText, toQuarantine } from './damage.ts';
import type { Change, Memory } from './memory.ts';
import { checkListed, checkTask, createReader, type Listed } from './reader.ts';
import { type Reading, toStored, validate } from './stored.ts';
import { type View, withChanges } from './view.ts';

/** The parts of the state that all transactions share. */
export interface TransactionContext extends Listed {
  readonly tasks: readonly Task<never>[];
  readonly memory: Pick<Memory, 'find'>;
  /** Version of the extension. */
  readonly version: string;
  /** Returns the key of a new record of the queue. */
  readonly nextKey: () => string;
}

/** The changes of one handler until they join those of its turn. */
export interface Transaction {
  readonly state: StateWriter;
  /**
   * Refuses further changes, validates all, and adds them to those of the turn, unless the signal is aborted.
   *
   * @throws ProcedureError `READ_ONLY` or `NOT_READ` for a stored value that must not be replaced
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

/** Opens a transaction over the stored values and the changes of its turn. */
export function openTransaction(
  stored: View,
  changes: Map<string, Change>,
  context: TransactionContext,
): Transaction {
  const drafts = new Map<string, Draft>();
  const view = withChanges(stored, [changes]);
  const current = withChanges(stored, [changes, drafts]);
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
    const record = createTask(task.name, copyJson(given), context.version, delay);
    const key = context.nextKey();
    const check = async () => {
      await validate(`the task "${task.name}"`, (task as Task<never>).data, record.data as Json);
      return true;
    };
    stage(key, { ...toChange(record), check });
    return key.slice(QUEUE.length);
  }

  function cancel(task: TaskDefinition<never>, id: string): void {
    checkTask(context, task);
    const key = QUEUE + id;
    const draft = drafts.get(key)?.value as QueueRecord | undefined;
    checkName(task, id, draft);
    const check = async () => {
      const record = (await view.records()).get(key);
      checkName(task, id, record);
      // The key may be that of an event that is being noted, and removing it would lose the event.
      return record !== undefined;
    };
    // A page may have sent any text as the id.
    if (isRecordKey(key)) stage(key, { stored: null, check });
  }

  async function merge(signal: AbortSignal): Promise<void> {
    isOpen = false;
    const originals = await readOriginals(view, drafts);
    const merged: (readonly [key: string, change: Change])[] = [];
    for (const [key, draft] of drafts) {
      const original = originals.get(key);
      if (original?.status === 'newer') throw new ProcedureError({ code: 'READ_ONLY' });
      if (original?.status === 'invalid') merged.push(...quarantined(key, original.stored));
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
  const damaged = { ...context, view };
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

/** Returns the changes that quarantine an unreadable value. @throws ProcedureError `NOT_READ` if its text would lose a part of it */
function quarantined(key: string, stored: unknown): readonly (readonly [string, Change])[] {
  const entries = toQuarantine(key, stored);
  if (entries === undefined) throw new ProcedureError({ code: 'NOT_READ' });
  return Object.entries(entries).map(([entry, value]) => [entry, { stored: value }] as const);
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

/** Returns the record of a new task. @throws TypeError for an invalid delay */
function createTask(name: string, data: Json, version: string, delay: number): QueueRecord {
  if (!(Number.isFinite(delay) && delay >= 0))
    throw new TypeError('The delay of a task must be a number of milliseconds.');
  const at = Date.now() + delay;
  const key = crypto.randomUUID();
  return { kind: 'task', name, data, key, version, at, tries: 0, deaths: 0, due: at, wait: delay };
}

/** @throws TypeError for the record of another task */
function checkName({ name }: TaskDefinition<never>, id: string, record: QueueRecord | undefined): void {
  if (record === undefined || (record.kind === 'task' && record.name === name)) return;
  throw new TypeError(`The task "${id}" is not a "${name}".`);
}
