import { BACKGROUND } from '../callers.ts';
import { CallError, copyInput, type ErrorReport, ProcedureError } from '../errors.ts';
import type { Json } from '../json.ts';
import type { Procedures } from '../procedures.ts';
import { authorize, type CallServer } from '../server/call.ts';
import { PRUNED_AT } from '../state/journal.ts';
import { quarantineValue } from '../state/quarantine.ts';
import { NEWEST_TASK, toDigits } from '../state/task-records.ts';
import type { Turn } from '../state/turn.ts';
import { createEventTurns } from './event-turn.ts';
import {
  BATCH,
  type EventRecord,
  type Group,
  GROUP,
  NO_PAUSE,
  OLD_EVENT,
  parseGroup,
  type Settle,
  toGroupText,
  toParts,
} from './records.ts';
import { createTimer, pauseOfStore, timeLeft } from './retry.ts';

export interface EventOptions {
  /** 1 to 100 characters. A procedure takes effect once for each key. The key is kept for at least a week, so never use it again. */
  readonly key?: string;
}

/** Each write that notes events stores a new token under this key, without reading. */
const NOTED = 'queue/noted';

/** The token of the last write whose events are all carried out. If it is the one under `NOTED`, no key needs to be listed. */
const DONE = 'queue/done';

/**
 * A flag of an earlier version of the core, which is `true` or `false` while there may be events under `OLD_EVENT`. Any other
 * value belongs to an earlier extension.
 */
const OLD_FLAG = 'inbox';

/**
 * Maximum number of concurrent writes that store events. Each write costs more than an event. An event that waits for its write
 * is lost if the background dies first.
 */
const MOST_WRITES = 64;

/** Maximum length of the key of an event, in characters. */
const MAX_KEY = 100;

interface EventsOptions {
  readonly version: string;
  /** Identifies this background. */
  readonly owner: string;
  /** Called with the time at which the next event is due, in ms since 1970, or `Infinity`. */
  readonly wakeAt: (time: number) => void;
}

/**
 * Carries out the mutations of the background itself, each once. They run in the order of the calls, but later ones overtake
 * one that is tried again.
 *
 * ```
 *   mutate ─▶ noted ─▶ in a turn ─┬─ value, or a final error ─▶ one write: changes, and the record is gone ─▶ settled
 *               ▲                 ├─ another error ─▶ one write: the record gets a pause, and others overtake it ─┐
 *               │                 │                   after 10 attempts, it moves to the quarantine            │
 *               │                 ├─ the store fails as a whole ─▶ all events wait, and no attempt is counted ────┤
 *               │                 └─ the background dies ─▶ the next one counts the attempt before it runs it ────┤
 *               └─────────────────────────────────────────────────────────────────────────────────────────────────┘
 * ```
 */
export function createEvents(server: CallServer, { version, owner, wakeAt }: EventsOptions) {
  const { procedures, state, log } = server;
  const turns = createEventTurns(server, version);
  const startedAt = toDigits(Date.now());
  /** Events that are not noted yet. */
  let pending: { readonly event: ReturnType<typeof parseEvent>; readonly settle: Settle }[] = [];
  /** A call of `note` waits for the next microtask. */
  let isScheduled = false;
  /** Number of noting writes under way. */
  let writes = 0;
  /** Resolves when all noting writes so far have ended. */
  let lastNote: Promise<void> | undefined;
  let groupCount = 0;
  /** Noted groups in the order in which they are carried out. */
  let line: readonly Group[] = [];
  /** Token of the newest write of events that this background has made, or has found at its start. */
  let token: unknown;
  let hasNoted = false;
  let earlier: ReturnType<typeof readEarlier> | undefined;
  /** The pending search for events of other backgrounds. `start` lists only if the tokens differ, and `sweep` in any case. */
  let search: 'start' | 'sweep' | undefined = 'start';
  let isDraining = false;
  /** `drain` was called since it last looked at the line. */
  let isWanted = false;
  let failures = 0;
  const drainAt = createTimer(() => void drain());

  // If two backgrounds ran at the same time, one may have replaced the other's token. So this searches once an hour.
  state.onChange(PRUNED_AT, () => {
    search = 'sweep';
    void drain();
  });

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

  /** Notes the pending events in one write. */
  async function note(): Promise<void> {
    const noted = pending;
    pending = [];
    isScheduled = false;
    writes += 1;
    // Asked before the write, but the write does not wait for it.
    const asked = askEarlier();
    asked.catch(() => {});
    const entries: Record<string, Json> = {};
    const groups = toParts(noted).map((part): Group => {
      const key = `${GROUP}1-${startedAt}-${owner}-${toDigits((groupCount += 1))}`;
      entries[key] = toGroupText(
        part.map(({ event }, number) => ({ ...event, number, version, tries: 0, ...NO_PAUSE })),
      );
      const waiting = new Map(part.map(({ settle }, number) => [number, settle]));
      return createGroup({ key, size: part.length, waiting });
    });
    const own = `${owner}:${groupCount}`;
    entries[NOTED] = own;
    const isNoted = async (): Promise<boolean> => {
      const stored = await state.peek(Object.keys(entries));
      if (groups.some(({ key }) => Object.hasOwn(stored, key))) return true;
      const before = hasNoted ? token : (await asked).noted;
      // Another write has replaced the token since. If this one took place, another background may have carried out its events.
      if (stored[NOTED] !== before) throw new ProcedureError({ code: 'IN_DOUBT' });
      return false;
    };
    const writing = state.note(entries, isNoted);
    const earlierNote = lastNote;
    const endNote = async (): Promise<void> => {
      const error = await writing.then(
        () => undefined,
        (cause: unknown) => cause as ProcedureError,
      );
      // Groups join the line in the order of their events.
      await earlierNote;
      if (error === undefined) [token, hasNoted] = [own, true];
      else log(error);
      // If they may be stored, the next turn looks for them.
      if (error === undefined || error.report.code === 'IN_DOUBT') line = line.concat(groups);
      else for (const { settle } of noted) settle({ error: error.report }, 'not-sent');
    };
    lastNote = endNote();
    await lastNote;
    writes -= 1;
    scheduleNote();
    void drain();
  }

  /** Asks the store once what earlier backgrounds have left. */
  function askEarlier(): ReturnType<typeof readEarlier> {
    earlier ??= readEarlier();
    earlier.catch(() => (earlier = undefined));
    return earlier;
  }

  async function readEarlier() {
    const stored = await state.peekOnce([NOTED, DONE, OLD_FLAG, NEWEST_TASK]);
    const hasOld = typeof stored[OLD_FLAG] === 'boolean';
    return {
      noted: stored[NOTED],
      hasOld,
      hasEvents: stored[NOTED] !== stored[DONE] || hasOld,
      hasTasks: stored[NEWEST_TASK] !== undefined,
    };
  }

  /** Carries out all events that are due, one turn after the other. */
  async function drain(): Promise<void> {
    isWanted = true;
    if (isDraining) return;
    isDraining = true;
    let wait = 0;
    try {
      while (wait === 0 || isWanted) {
        isWanted = false;
        await findLeft();
        wait = await carryOutDue();
        failures = 0;
      }
    } catch (error) {
      log(error);
      failures += 1;
      wait = pauseOfStore(failures);
    }
    isDraining = false;
    drainAt(Date.now() + wait);
    wakeAt(Date.now() + wait);
  }

  /** Looks for events of earlier backgrounds, if that has not been done. */
  async function findLeft(): Promise<void> {
    if (search === undefined) return;
    const wanted = search;
    const found = await askEarlier();
    if (!hasNoted) token = found.noted;
    if (wanted === 'sweep' || found.hasEvents) await adopt(found);
    if (search === wanted) search = undefined;
  }

  /**
   * Puts the events that earlier backgrounds have left at the head of the line, and counts their first attempt, in one write. It
   * gives them new keys, so that their order no longer depends on the clock.
   */
  async function adopt({ noted, hasOld }: Awaited<ReturnType<typeof readEarlier>>): Promise<void> {
    const known = new Set(line.map(({ key }) => key));
    // Skips groups that this background has stored and not yet put in the line. A `0-` group outside the line comes from a
    // take-over whose write was in doubt, so it is taken over again.
    const isOwn = (key: string): boolean =>
      known.has(key) || (key.startsWith(`${GROUP}1-`) && key.includes(`-${owner}-`));
    const all = (await state.listAgain('queue/')).filter((key) => key.startsWith(GROUP) && !isOwn(key));
    const old = hasOld ? await state.listAgain(OLD_EVENT) : [];
    // The background that noted last comes last, even if the clock was set back.
    const latest = `-${String(noted).split(':', 1)[0]}-`;
    const isLatest = (key: string): boolean => key.startsWith(`${GROUP}1-`) && key.includes(latest);
    const keys = [...old, ...all.filter((key) => !isLatest(key)), ...all.filter(isLatest)];

    const groups = await state.inTurn(async (turn) => {
      const taken = await takeOver(keys, turn);
      if (hasOld) turn.stage({ [OLD_FLAG]: null });
      // If nothing was left, the next background need not list the keys. A note that is under way may be stored already.
      const isEmpty = writes === 0 && !hasNoted && line.length === 0 && taken.length === 0;
      if (isEmpty && typeof noted === 'string') turn.stage({ [DONE]: noted });
      return taken;
    });
    line = [...groups, ...line];
  }

  /** Stages the records under these keys as groups of this background. */
  async function takeOver(keys: readonly string[], turn: Turn): Promise<readonly Group[]> {
    const stored = await turn.read(keys);
    const left = keys.flatMap((key): readonly EventRecord[] => {
      // Another background may have carried it out since it was listed.
      if (!Object.hasOwn(stored, key)) return [];
      turn.stage({ [key]: null });
      const records = parseGroup(stored[key]);
      if (records === undefined) turn.stage(quarantineValue('queue', stored[key]));
      return records ?? [];
    });
    return toParts(left).map((part) => {
      const key = `${GROUP}0-${toDigits((groupCount += 1))}-${owner}-`;
      const records = part.map((record, number) => ({ ...record, number, tries: Math.max(record.tries, 1) }));
      turn.stage({ [key]: toGroupText(records) });
      const counted = part.flatMap(({ tries }, number) => (tries === 0 ? [number] : []));
      return createGroup({ key, size: part.length, isInherited: true, counted: new Set(counted) });
    });
  }

  /** Carries out due events in one turn. Returns the milliseconds until the next event is due. */
  async function carryOutDue(): Promise<number> {
    const due = line.filter(({ pause }) => timeLeft(pause) === 0);
    if (due.length === 0) return Math.min(...line.map(({ pause }) => timeLeft(pause)));

    await turns.carryOut(takeFirst(due), (turn, emptied) => {
      const isLast = writes === 0 && line.every((group) => emptied.has(group));
      // If another background has noted events since, `NOTED` is a different token, and both tokens stay different.
      if (isLast && typeof token === 'string') turn.stage({ [DONE]: token });
    });
    line = line.filter(({ size }) => size > 0);
    return 0;
  }

  return {
    mutate,
    /** Carries out the events of earlier backgrounds, if there are any. Returns `true` if tasks may be open. */
    resume: async (): Promise<boolean> => {
      void drain();
      const { hasTasks } = await askEarlier().catch(() => ({ hasTasks: true }));
      return hasTasks;
    },
  };
}

const createGroup = (given: Pick<Group, 'key' | 'size'> & Partial<Group>): Group => ({
  isInherited: false,
  counted: new Set(),
  newer: new Set(),
  waiting: new Map(),
  pause: NO_PAUSE,
  ...given,
});

/** Returns the first groups that have enough records for one turn together. */
function takeFirst(groups: readonly Group[]): readonly Group[] {
  let records = 0;
  const end = groups.findIndex(({ size }) => (records += size) >= BATCH);
  return end === -1 ? groups : groups.slice(0, end + 1);
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
  return { name, input: copyInput(name, input), key };
}
