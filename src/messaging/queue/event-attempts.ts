import { BACKGROUND } from '../server/identify-caller.ts';
import { pauseAfter } from '../define/tasks.ts';
import { CallError, type ErrorCode, type ErrorReport, type ProcedureError } from '../wire/errors.ts';
import { answerMutation, type Call, type CallServer, openCall, type Settled } from '../server/call.ts';
import { EVENT } from '../state/journal.ts';
import type { Turn } from '../state/turn.ts';
import { BATCH } from './choice.ts';
import { type Entry, probe, quarantine } from './entry.ts';
import { type QueueRecord, toChange } from '../state/queue-record.ts';
import { ATTEMPTS, isNewer, isRefusal, pauseFor } from './retry.ts';

/** Milliseconds after which no further event starts in a turn, so that a page gets its turn. */
const TURN = 50;

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

interface EventAttemptsOptions {
  /** Version of the extension. */
  readonly version: string;
  /** Settles the promise of an event that has ended. */
  readonly settle: (key: string, settled: Settled) => void;
}

/** An event that was attempted in a turn. */
interface Ran {
  readonly entry: Entry;
  readonly call: Call;
  readonly settled: Settled;
  /** The work that follows the write. */
  readonly onWritten: () => void;
}

export type EventAttempts = ReturnType<typeof createEventAttempts>;

/** Makes attempts at events. */
export function createEventAttempts(server: CallServer, { version, settle }: EventAttemptsOptions) {
  const { state, log } = server;
  /** Most events in the next turn. After a refused write it is 1, to find the event that cannot be stored, and then it doubles. */
  let batch = BATCH;
  /** The store has refused the changes of this event, and has worked since. */
  let refused: Entry | undefined;

  /** Stages what becomes of an event after an attempt. Returns the work that follows the write. */
  function end(turn: Turn, entry: Entry, settled: Settled): () => void {
    const { key, record } = entry;
    if (!('error' in settled)) {
      turn.changes.set(key, { stored: null });
      return () => settle(key, settled);
    }
    const { error } = settled;
    if (STRANGE.has(error.code) && record.version !== version) {
      if (!isNewer(record.version, version)) {
        return giveUp(turn, entry, error, 'does not fit this version of the extension');
      }
      turn.changes.set(key, toChange({ ...record, deaths: 0 }));
      return () => {
        entry.isHeld = true;
        logError(log, record, error);
      };
    }
    if (FINAL.has(error.code)) {
      turn.changes.set(key, { stored: null });
      return () => {
        logError(log, record, error);
        settle(key, settled);
      };
    }
    const tries = record.tries + 1;
    if (tries >= ATTEMPTS) return giveUp(turn, entry, error);
    turn.changes.set(key, toChange({ ...record, tries, deaths: 0, ...pauseFor(pauseAfter(tries)) }));
    return () => logError(log, record, error);
  }

  function giveUp(turn: Turn, entry: Entry, error: ErrorReport, why?: string): () => void {
    const { name, tries, deaths } = entry.record;
    quarantine(turn, entry);
    return () => {
      const reason = why ?? `was given up after ${Math.max(tries + 1, deaths)} attempts`;
      log(new Error(`The event "${name}" ${reason}: ${error.code}.`));
      settle(entry.key, { error });
    };
  }

  /** Finds the event whose changes the store refuses, and counts its attempt. @throws ProcedureError if the store does not work */
  async function onFailedTurn(cause: ProcedureError, ran: readonly Ran[]): Promise<void> {
    const { report: error } = cause;
    for (const { call } of ran) call.end({ error });
    const [only, ...others] = ran;
    if (!isRefusal(cause) || only === undefined) throw cause;
    batch = 1;
    if (others.length > 0) return;
    const { entry } = only;
    if (refused === entry) {
      const onWritten = await state.inTurn(async (turn) => end(turn, entry, { error }));
      refused = undefined;
      onWritten();
      return;
    }
    await state.inTurn(async (turn) => probe(turn, entry));
    refused = entry;
  }

  return {
    /**
     * Carries out the first of these events in one turn, as many as fit.
     *
     * @throws ProcedureError if the store fails as a whole. No attempt is counted then.
     */
    carryOut: async (entries: readonly Entry[]): Promise<void> => {
      const ran: Ran[] = [];
      try {
        await state.inTurn(async (turn) => {
          const endAt = performance.now() + TURN;
          for (const entry of entries.slice(0, batch)) {
            const call = openEvent(server, entry.record);
            const settled = await answerMutation(server, call, turn);
            ran.push({ entry, call, settled, onWritten: end(turn, entry, settled) });
            // An aborted event has used up the time of the turn.
            if (call.signal.aborted || performance.now() > endAt) break;
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
    },

    /** Gives up an event that may be the reason why backgrounds have died. */
    condemn: async (entry: Entry): Promise<void> => {
      const onWritten = await state.inTurn(async (turn) => giveUp(turn, entry, { code: 'INTERNAL' }));
      onWritten();
    },
  };
}

function logError(log: CallServer['log'], { name }: QueueRecord, error: ErrorReport): void {
  // An incident is logged already.
  if (error.incident === undefined) log(new CallError(name, error, 'handled'));
}

function openEvent(server: CallServer, { name, data, key, tries, deaths }: QueueRecord): Call {
  return openCall(server, {
    caller: BACKGROUND,
    kind: 'mutation',
    name,
    input: data,
    attempt: tries + deaths + 1,
    ...(key !== undefined && { identity: { source: toSource(name, key), id: 1, name } }),
  });
}

/** Names an event in the journal. A slash in the name of the procedure is escaped, because the first one begins the key. */
const toSource = (name: string, key: string): string => `${EVENT}${encodeURIComponent(name)}/${key}`;
