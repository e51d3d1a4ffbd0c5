import { BACKGROUND } from '../callers.ts';
import {
  CallError,
  copyInput,
  type Delivery,
  type ErrorCode,
  type ErrorReport,
  type ProcedureError,
} from '../errors.ts';
import { pauseAfter } from '../define/tasks.ts';
import type { Json } from '../json.ts';
import type { Procedures } from '../procedures.ts';
import {
  answerInTurn,
  authorize,
  type Call,
  type CallServer,
  openCall,
  type Settled,
} from '../server/call.ts';
import { quarantineText } from '../state/damage.ts';
import { EVENT } from '../state/journal.ts';
import type { Change, Changes } from '../state/memory.ts';
import { stage, type Turn } from '../state/turn.ts';
import { type Queue, toChange } from './queue.ts';
import { type QueueRecord, toText } from './record.ts';
import { ATTEMPTS, isNewer, pauseFor } from './retry.ts';

export interface EventOptions {
  /** 1 to 100 characters. A procedure takes effect once for each key. The key is kept for at least a week, so never use it again. */
  readonly key?: string;
}

/** Settles the promise of an event. Without a delivery, the event was handled. */
type Settle = (settled: Settled, delivery?: Delivery) => void;

/** Most events that are carried out in one write. A page gets its turn after each write. */
export const BATCH = 8;

/** Milliseconds after which no further event starts in a turn, so that a page gets its turn. */
const TURN = 50;

/**
 * Maximum number of concurrent writes that store events. Each write costs more than an event. An event that waits for its write
 * is lost if the background dies first.
 */
const MOST_WRITES = 64;

/** Maximum length of the key of an event, in characters. */
const MAX_KEY = 100;

/** Errors after which an event is not tried again, because another attempt would end in the same one. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'DECLARED',
  'INVALID_INPUT',
  'NOT_JSON',
  'TOO_LARGE',
  'UNKNOWN_PROCEDURE',
  'FORBIDDEN',
  'ALREADY_MADE',
]);

/** Errors of an event that was noted by another version of the extension and does not fit this version. */
const STRANGE: ReadonlySet<ErrorCode> = new Set(['UNKNOWN_PROCEDURE', 'FORBIDDEN', 'INVALID_INPUT']);

interface EventsOptions {
  /** Version of the extension. */
  readonly version: string;
  /** Called when new events are stored. */
  readonly onNoted: () => void;
}

export type Events = ReturnType<typeof createEvents>;

/** Stores the mutations of the background itself, and carries them out. */
export function createEvents(server: CallServer, queue: Queue, { version, onNoted }: EventsOptions) {
  const { procedures, state, log } = server;
  /** Events that are not stored yet. */
  let pending: { readonly event: ReturnType<typeof parseEvent>; readonly settle: Settle }[] = [];
  /** A call of `note` waits for the next microtask. */
  let isScheduled = false;
  /** Number of writes under way that store events. */
  let writes = 0;
  /** Settles the promises of events of this background, by key. */
  const waiting = new Map<string, Settle>();
  /** Most events in the next turn. After a refused write it is 1, to find the event that cannot be stored, and then it doubles. */
  let batch = BATCH;

  function mutate(name: string, input?: unknown, options: EventOptions = {}): Promise<Json | undefined> {
    return new Promise((resolve, reject) => {
      const settle: Settle = (settled, delivery = 'handled') => {
        if ('error' in settled) reject(new CallError(name, settled.error, delivery));
        else resolve(settled.value);
      };
      try {
        pending.push({ event: parseEvent(procedures, name, input, options), settle });
      } catch (error) {
        // Few listeners can handle an error, so it is logged as well.
        log(error);
        reject(error);
        return;
      }
      scheduleNote();
    });
  }

  /** Calls that are made before the next microtask share a write, and so do calls that find `MOST_WRITES` under way. */
  function scheduleNote(): void {
    if (isScheduled || pending.length === 0 || writes >= MOST_WRITES) return;
    isScheduled = true;
    queueMicrotask(() => void note());
  }

  /** Stores the pending events in one write. */
  async function note(): Promise<void> {
    const noted = pending;
    pending = [];
    isScheduled = false;
    writes += 1;
    const now = Date.now();
    const changes = new Map<string, Change>();
    try {
      await queue.start();
      for (const { event, settle } of noted) {
        const key = queue.nextKey();
        const record = { ...event, version, at: now, tries: 0, deaths: 0, due: now, wait: 0 };
        changes.set(key, toChange({ kind: 'event', ...record }));
        waiting.set(key, settle);
      }
      await queue.note(changes).catch((error: unknown) => noteInTurn(changes, error));
    } catch (error) {
      log(error);
      for (const key of changes.keys()) waiting.delete(key);
      for (const { settle } of noted) settle({ error: (error as ProcedureError).report }, 'not-sent');
    }
    writes -= 1;
    scheduleNote();
    onNoted();
  }

  /** Stores events whose write was refused. A turn makes room for them. */
  async function noteInTurn(events: Changes, refusal: unknown): Promise<void> {
    if ((refusal as ProcedureError).report.code !== 'NOT_STORED') throw refusal;
    return state.inTurn(async ({ changes }) => {
      for (const [key, change] of events) changes.set(key, change);
    });
  }

  /**
   * Carries out the first of these events in one turn, as many as fit.
   *
   * @throws ProcedureError if the store fails as a whole. No attempt is counted then.
   */
  async function carryOut(keys: readonly string[]): Promise<void> {
    const ran: Ran[] = [];
    try {
      await state.inTurn(async (turn) => {
        const endAt = performance.now() + TURN;
        for (const key of keys.slice(0, batch)) {
          const event = await attempt(turn, key);
          ran.push(event);
          // An aborted event has used up the time of the turn.
          if (event.call.signal.aborted || performance.now() > endAt) break;
        }
      });
    } catch (error) {
      return onFailedTurn(error as ProcedureError, ran);
    }
    batch = Math.min(batch * 2, BATCH);
    for (const { call, settled, onWritten } of ran) {
      call.end(settled);
      onWritten();
    }
    return undefined;
  }

  async function attempt(turn: Turn, key: string): Promise<Ran> {
    const record = queue.open.get(key) as QueueRecord;
    const { name, data: input, key: eventKey, tries, deaths } = record;
    const call = openCall(server, {
      caller: BACKGROUND,
      kind: 'mutation',
      name,
      input,
      attempt: tries + deaths + 1,
      ...(eventKey !== undefined && { identity: { source: `${EVENT}${name}/${eventKey}`, id: 1, name } }),
    });
    const settled = await answerInTurn(server, call, turn);
    return { key, record, call, settled, onWritten: end(turn, key, record, settled) };
  }

  /** Stages what becomes of the record of an event after an attempt. Returns the work that follows the write. */
  function end(turn: Turn, key: string, record: QueueRecord, settled: Settled): () => void {
    if (!('error' in settled)) {
      turn.changes.set(key, { stored: null });
      return () => settleEvent(key, settled);
    }
    const { error } = settled;
    if (STRANGE.has(error.code) && record.version !== version) {
      if (!isNewer(record.version, version)) return giveUp(turn, key, error);
      turn.changes.set(key, toChange({ ...record, deaths: 0 }));
      return () => {
        queue.hold(key);
        logError(record, error);
      };
    }
    if (FINAL.has(error.code)) {
      turn.changes.set(key, { stored: null });
      return () => {
        logError(record, error);
        settleEvent(key, settled);
      };
    }
    const tries = record.tries + 1;
    if (tries >= ATTEMPTS) return giveUp(turn, key, error);
    turn.changes.set(key, toChange({ ...record, tries, deaths: 0, ...pauseFor(pauseAfter(tries)) }));
    return () => logError(record, error);
  }

  /** Moves the record of an event to the quarantine, where people can save it. Returns the work that follows the write. */
  function giveUp({ changes }: Turn, key: string, error: ErrorReport): () => void {
    const record = queue.open.get(key) as QueueRecord;
    const { name, version: from, tries, deaths } = record;
    changes.set(key, { stored: null });
    stage({ changes }, quarantineText(name, toText(record)));
    return () => {
      const isStrange = STRANGE.has(error.code) && from !== version;
      const reason = isStrange
        ? 'does not fit this version of the extension'
        : `was given up after ${Math.max(tries + 1, deaths)} attempts`;
      log(new Error(`The event "${name}" ${reason}: ${error.code}.`));
      settleEvent(key, { error });
    };
  }

  function settleEvent(key: string, settled: Settled): void {
    waiting.get(key)?.(settled);
    waiting.delete(key);
  }

  function logError({ name }: QueueRecord, error: ErrorReport): void {
    // An incident is logged already.
    if (error.incident === undefined) log(new CallError(name, error, 'handled'));
  }

  /** Finds the event because of which a turn could not be written, and counts its attempt. */
  async function onFailedTurn(cause: ProcedureError, ran: readonly Ran[]): Promise<void> {
    const { report: error } = cause;
    for (const { call } of ran) call.end({ error });
    const [only, ...others] = ran;
    if (error.code !== 'NOT_STORED' || only === undefined) throw cause;
    batch = 1;
    if (others.length > 0) return;
    // This write also shows whether the store works.
    const onWritten = await state.inTurn(async (turn) => end(turn, only.key, only.record, { error }));
    onWritten();
  }

  return {
    mutate,
    carryOut,
    /** Gives up an event that may be the reason why backgrounds have died. */
    condemn: async (key: string): Promise<void> => {
      const onWritten = await state.inTurn(async (turn) => giveUp(turn, key, { code: 'INTERNAL' }));
      onWritten();
    },
  };
}

/** An event that was attempted in a turn. */
interface Ran {
  readonly key: string;
  readonly record: QueueRecord;
  readonly call: Call;
  readonly settled: Settled;
  readonly onWritten: () => void;
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
