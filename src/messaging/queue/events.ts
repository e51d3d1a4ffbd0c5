import { BACKGROUND } from '../server/identify-caller.ts';
import { CallError, type Delivery, type ErrorReport, type ProcedureError } from '../wire/errors.ts';
import { copyInput } from '../wire/frames.ts';
import type { Json } from '../wire/json.ts';
import type { EventOptions } from '../define/feature.ts';
import type { Procedures } from '../define/procedures.ts';
import { authorize, type Core, type Result } from '../server/call.ts';
import type { KeyChange } from '../state/store.ts';
import type { Queue } from './queue.ts';
import { toChange } from '../state/job.ts';

/** Settles the promise of an event. Without a delivery, the event was handled. */
type Resolve = (result: Result, delivery?: Delivery) => void;

/**
 * Maximum number of concurrent writes that store events. Each write costs more than an event. An event that waits for its write
 * is lost if the background dies first.
 */
const MOST_WRITES = 64;

/** Maximum length of the key of an event, in characters. */
const MAX_KEY = 100;

/** Stores the mutations of the background itself, so that they happen even if it dies. */
export function createEvents({ procedures, state, log }: Core, queue: Queue) {
  /** Events that are not stored yet. */
  let pending: { readonly event: ReturnType<typeof parseEvent>; readonly resolve: Resolve }[] = [];
  /** Number of writes under way that store events. */
  let writes = 0;
  /** Settles the promises of events of this background, by key. */
  const waiting = new Map<string, Resolve>();

  /** Stores the pending events in one write, unless `MOST_WRITES` are under way. The first of them that ends calls this again. */
  async function note(): Promise<void> {
    if (pending.length === 0 || writes >= MOST_WRITES) return;
    const noted = pending;
    pending = [];
    writes += 1;
    const now = Date.now();
    const changes = new Map<string, KeyChange>();
    try {
      await queue.start();
      for (const { event, resolve } of noted) {
        const key = queue.nextKey();
        const job = { ...event, at: now, tries: 0, deaths: 0, due: now, wait: 0 };
        changes.set(key, toChange({ kind: 'event', ...job }));
        waiting.set(key, resolve);
      }
      await queue.note(changes).catch(() =>
        // A turn makes room for events whose write was refused.
        state.inTurn(async (turn) => {
          for (const [key, change] of changes) turn.changes.set(key, change);
        }),
      );
    } catch (error) {
      log(error);
      for (const key of changes.keys()) waiting.delete(key);
      for (const { resolve } of noted) resolve({ error: (error as ProcedureError).report }, 'not-sent');
    }
    writes -= 1;
    void note();
  }

  return {
    mutate: (name: string, input?: unknown, options: EventOptions = {}): Promise<Json | undefined> =>
      new Promise((fulfill, reject) => {
        const resolve: Resolve = (result, delivery = 'handled') => {
          if ('error' in result) reject(new CallError(name, result.error, delivery));
          else fulfill(result.value);
        };
        try {
          const event = parseEvent(procedures, name, input, options);
          // Events of one moment share a write.
          if (pending.push({ event, resolve }) === 1) queueMicrotask(() => void note());
        } catch (error) {
          // Few listeners can handle an error, so it is logged as well.
          log(error);
          reject(error);
        }
      }),

    /** Settles the promise of an event that has ended. An earlier background had those of events that it has left. */
    resolve: (key: string, result: Result): void => {
      waiting.get(key)?.(result);
      waiting.delete(key);
    },
  };
}

/** @throws CallError if the background may not make the mutation, or if its input or key is not valid */
function parseEvent(procedures: Procedures, name: string, input: unknown, { key }: EventOptions) {
  const fail = (report: ErrorReport): CallError => new CallError(name, report, 'not-sent');
  try {
    authorize(procedures, { kind: 'mutation', name, caller: BACKGROUND });
  } catch (error) {
    throw fail((error as ProcedureError).report);
  }
  const isKey = typeof key === 'string' && key.length > 0 && key.length <= MAX_KEY && key.isWellFormed();
  if (key !== undefined && !isKey) {
    const issues = [{ path: 'key', message: `must be a string of 1 to ${MAX_KEY} characters` }];
    throw fail({ code: 'INVALID_INPUT', issues });
  }
  return { name, data: copyInput(name, input), key };
}
