import { BACKGROUND } from '../server/identify-caller.ts';
import { pauseAfter } from '../define/tasks.ts';
import { CallError, type ErrorCode, type ErrorReport, type ProcedureError } from '../wire/errors.ts';
import { answerMutation, type Call, type Core, openCall, type Result } from '../server/call.ts';
import { EVENT } from '../state/journal.ts';
import type { Turn } from '../state/turn.ts';
import { BATCH } from './choice.ts';
import { type JobEntry, probe, quarantine } from './entry.ts';
import { type Job, toChange } from '../state/job.ts';
import { ATTEMPTS, isRefusal, pauseFor } from './retry.ts';

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

/** Errors of an event that an earlier background has noted, and that does not fit this version of the extension. */
const UNFIT: ReadonlySet<ErrorCode> = new Set(['UNKNOWN_PROCEDURE', 'FORBIDDEN', 'INVALID_INPUT']);

/** Settles the promise of an event that has ended. */
type Resolve = (key: string, result: Result) => void;

/** Result of an attempt at an event. */
interface End {
  /** The next job, `null` to remove it, or the quarantine for its text. */
  readonly next: Job | 'quarantine' | null;
  /** The result of the promise, if this is the end of the event. */
  readonly result?: Result;
  /** An error that is not logged yet. */
  readonly problem?: Error | undefined;
}

/** An event that was attempted in a turn. */
interface Ran {
  readonly entry: JobEntry;
  readonly call: Call;
  readonly result: Result;
  readonly end: End;
}

export type EventAttempts = ReturnType<typeof createEventAttempts>;

/** Makes attempts at events. */
export function createEventAttempts(core: Core, resolve: Resolve) {
  const { state, log } = core;
  /** Most events in the next turn. After a refused write it is 1, to find the event that cannot be stored, and then it doubles. */
  let batch = BATCH;
  /** The store has refused the changes of this event, and has worked since. */
  let refused: JobEntry | undefined;

  /** Reports the end of an event after the write of its turn. */
  function report({ key }: JobEntry, { result, problem }: End): void {
    if (problem !== undefined) log(problem);
    if (result !== undefined) resolve(key, result);
  }

  async function store(entry: JobEntry, end: End): Promise<void> {
    await state.inTurn(async (turn) => stageEnd(turn, entry, end));
    report(entry, end);
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
    if (refused !== entry) {
      await state.inTurn(async (turn) => probe(turn, entry));
      refused = entry;
    } else {
      await store(entry, endOf(entry, { error }));
      refused = undefined;
    }
  }

  return {
    /**
     * Carries out the first of these events in one turn, as many as fit.
     *
     * @throws ProcedureError if the store fails as a whole. No attempt is counted then.
     */
    carryOut: async (entries: readonly JobEntry[]): Promise<void> => {
      const ran: Ran[] = [];
      try {
        await state.inTurn(async (turn) => {
          const endAt = performance.now() + TURN;
          for (const entry of entries.slice(0, batch)) {
            const call = openEvent(core, entry.job);
            const result = await answerMutation(core, call, turn);
            const end = endOf(entry, result);
            stageEnd(turn, entry, end);
            ran.push({ entry, call, result, end });
            // An aborted event has used up the time of the turn.
            if (call.signal.aborted || performance.now() > endAt) break;
          }
        });
      } catch (error) {
        return onFailedTurn(error as ProcedureError, ran);
      }
      batch = Math.min(batch * 2, BATCH);
      for (const { entry, call, result, end } of ran) {
        call.end(result);
        report(entry, end);
      }
      return undefined;
    },

    /** Gives up an event that may be the reason why backgrounds have died. */
    condemn: (entry: JobEntry): Promise<void> => store(entry, givenUp(entry.job, { code: 'INTERNAL' })),
  };
}

/** Returns what becomes of an event after an attempt. */
function endOf({ job, left }: JobEntry, result: Result): End {
  if (!('error' in result)) return { next: null, result };
  const { error } = result;
  if (left !== undefined && UNFIT.has(error.code)) {
    return givenUp(job, error, 'does not fit this version of the extension');
  }
  // An incident is logged already.
  const problem = error.incident === undefined ? new CallError(job.name, error, 'handled') : undefined;
  if (FINAL.has(error.code)) return { next: null, result, problem };
  const tries = job.tries + 1;
  if (tries >= ATTEMPTS) return givenUp(job, error);
  return { next: { ...job, tries, deaths: 0, ...pauseFor(pauseAfter(tries)) }, problem };
}

/** Returns the end of an event that is not attempted again, although it was not carried out. */
function givenUp({ name, tries, deaths }: Job, error: ErrorReport, why?: string): End {
  const reason = why ?? `was given up after ${Math.max(tries + 1, deaths)} attempts`;
  const problem = new Error(`The event "${name}" ${reason}: ${error.code}.`);
  return { next: 'quarantine', result: { error }, problem };
}

function stageEnd(turn: Turn, entry: JobEntry, { next }: End): void {
  if (next === 'quarantine') quarantine(turn, entry);
  else turn.changes.set(entry.key, next === null ? { stored: null } : toChange(next));
}

function openEvent(core: Core, { name, data, key, tries, deaths }: Job): Call {
  return openCall(core, {
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
