import { BACKGROUND } from '../callers.ts';
import { CallError, type ErrorCode, type ErrorReport, type ProcedureError } from '../errors.ts';
import { answerInTurn, type Call, type CallServer, openCall } from '../server/call.ts';
import { EVENT } from '../state/journal.ts';
import { quarantineText, quarantineValue } from '../state/quarantine.ts';
import type { Turn } from '../state/turn.ts';
import { BATCH, type EventRecord, type Group, NO_END, parseGroup, toGroupText } from './records.ts';
import { ATTEMPTS, isNewer, type Pause, pauseAfter, timeLeft } from './retry.ts';

/** A turn in which events are carried out, until it is written. */
interface EventTurn {
  readonly turn: Turn;
  /** The events that ran. */
  readonly ran: { readonly call: Call; readonly record: EventRecord; readonly group: Group }[];
  /** Groups of which no record stays. */
  readonly emptied: Set<Group>;
  /** Called when the write has succeeded. */
  readonly onWritten: (() => void)[];
  /** No further event starts. */
  isFull: boolean;
}

/** An event because of which a turn could not be written. */
interface Fault {
  readonly record: EventRecord;
  readonly error: ErrorReport;
}

/** Stages more changes before the write. It gets the groups of which no record stays. */
type Finish = (turn: Turn, emptied: ReadonlySet<Group>) => void;

/** Milliseconds after which no further event starts in a turn, so that a page gets the lock. */
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

/**
 * Creates the part of the queue that carries out noted events, many in one turn and one write.
 *
 * @param version version of the extension
 */
export function createEventTurns(server: CallServer, version: string) {
  const { state, log } = server;
  /** Most events in a turn. After a failed write it is 1, to find the event that cannot be stored, and then it doubles. */
  let batch = BATCH;

  /**
   * Carries out the due events of these groups in one turn. The size of a group of which no record stays is then 0.
   *
   * @param fault if given, only this event is handled: it does not run, and the error counts as that of its attempt
   * @throws ProcedureError if the store fails as a whole
   */
  async function carryOut(groups: readonly Group[], finish: Finish, fault?: Fault): Promise<void> {
    const ran: EventTurn['ran'] = [];
    const onWritten: EventTurn['onWritten'] = [];
    try {
      await state.inTurn(async (turn) => {
        const current: EventTurn = { turn, ran, emptied: new Set(), onWritten, isFull: false };
        const stored = await turn.read(groups.map(({ key }) => key));
        const endAt = performance.now() + TURN;
        for (const group of groups) await visit(group, stored[group.key], current, endAt, fault);
        finish(turn, current.emptied);
      });
    } catch (error) {
      return onFailedTurn(error as ProcedureError, ran, finish);
    }
    batch = Math.min(batch * 2, BATCH);
    for (const settle of onWritten) settle();
    return undefined;
  }

  /** Carries out the due events of a group, and stages the records that stay. */
  async function visit(
    group: Group,
    stored: unknown,
    current: EventTurn,
    endAt: number,
    fault: Fault | undefined,
  ): Promise<void> {
    const records = parseGroup(stored) ?? [];
    if (records.length === 0 && stored !== undefined) current.turn.stage(quarantineValue('queue', stored));
    // Events that are no longer stored were carried out by another background or by a write in doubt.
    const numbers = new Set(records.map(({ number }) => number));
    current.onWritten.push(() => {
      for (const [number, settle] of group.waiting) {
        // A promise that is settled already stays as it is.
        if (!numbers.has(number)) settle({ error: { code: 'IN_DOUBT' } }, 'unknown');
      }
    });
    const rest: EventRecord[] = [];
    for (const record of records) {
      const left = await visitRecord(record, group, current, endAt, fault);
      if (left !== undefined) rest.push(left);
    }
    stageGroup(group, rest, stored, current);
  }

  /** Carries out an event if it is due. Returns its record if it stays. */
  async function visitRecord(
    record: EventRecord,
    group: Group,
    current: EventTurn,
    endAt: number,
    fault: Fault | undefined,
  ): Promise<EventRecord | undefined> {
    if (fault !== undefined)
      return record.number === fault.record.number ? onError(record, group, current, fault.error) : record;
    // Each turn carries out at least one event, because reading a group may take longer than a turn.
    current.isFull ||= current.ran.length > 0 && (performance.now() > endAt || current.ran.length >= batch);
    const isReady = !current.isFull && timeLeft(pauseOf(record, group)) === 0;
    return isReady ? attempt(record, group, current) : record;
  }

  function stageGroup(
    group: Group,
    rest: readonly EventRecord[],
    stored: unknown,
    { turn, emptied, onWritten }: EventTurn,
  ): void {
    const text = rest.length === 0 ? null : toGroupText(rest);
    if (text === null) emptied.add(group);
    if (text !== (stored ?? null)) turn.stage({ [group.key]: text });
    onWritten.push(() => {
      group.size = rest.length;
      const pauses = rest.map((record) => pauseOf(record, group));
      group.pause = pauses.toSorted((a, b) => timeLeft(a) - timeLeft(b))[0] ?? NO_END;
    });
  }

  /** Runs an event, or counts its attempt. Returns the record if it stays. */
  async function attempt(
    record: EventRecord,
    group: Group,
    current: EventTurn,
  ): Promise<EventRecord | undefined> {
    const { name, number, input, key, tries } = record;
    const { counted, isInherited } = group;
    if (isInherited && !counted.has(number)) {
      // An earlier background has died while this event was stored, perhaps because of it. So its attempt is counted in a write
      // of its own before it runs.
      current.isFull = true;
      if (current.ran.length > 0) return record;
      if (tries >= ATTEMPTS) return giveUp(record, group, current, { code: 'INTERNAL' });
      current.onWritten.push(() => counted.add(number));
      return { ...record, tries: tries + 1 };
    }
    const call = openCall(server, {
      caller: BACKGROUND,
      kind: 'mutation',
      name,
      input,
      attempt: isInherited ? tries : tries + 1,
      ...(key !== undefined && { identity: { source: `${EVENT}${name}/${key}`, id: 1, name } }),
    });
    current.ran.push({ call, record, group });
    const settled = await answerInTurn(server, call, current.turn);
    // An aborted event has used up the lock's time. An event that a background did not survive runs alone.
    if (call.signal.aborted || (isInherited && tries > 1)) current.isFull = true;
    current.onWritten.push(() => call.end(settled));
    if ('error' in settled) return onError(record, group, current, settled.error);
    current.onWritten.push(() => group.waiting.get(number)?.(settled));
    return undefined;
  }

  /** Returns the record of an event that has failed if it will be tried again. */
  function onError(
    record: EventRecord,
    group: Group,
    current: EventTurn,
    error: ErrorReport,
  ): EventRecord | undefined {
    const { name, number } = record;
    current.onWritten.push(() => group.counted.delete(number));
    if (STRANGE.has(error.code) && record.version !== version) {
      if (!isNewer(record.version, version)) return giveUp(record, group, current, error);
      group.newer.add(number);
      // The attempt was counted before it began, but it does not count for the newer version.
      return { ...record, tries: record.tries - 1 };
    }
    const isFinal = FINAL.has(error.code);
    const tries = record.tries + Number(!group.isInherited);
    if (!isFinal && tries >= ATTEMPTS) return giveUp({ ...record, tries }, group, current, error);
    current.onWritten.push(() => {
      // An incident is logged already.
      if (error.incident === undefined) log(new CallError(name, error, 'handled'));
      if (isFinal) group.waiting.get(number)?.({ error });
    });
    return isFinal ? undefined : { ...record, tries, ...pauseAfter(tries) };
  }

  /** Moves the record of an event to the quarantine, where people can save it. */
  function giveUp(
    record: EventRecord,
    group: Group,
    { turn, onWritten }: EventTurn,
    error: ErrorReport,
  ): undefined {
    const { name, number, tries } = record;
    turn.stage(quarantineText(name, toGroupText([record])));
    onWritten.push(() => {
      const reason =
        tries < ATTEMPTS
          ? 'does not fit this version of the extension'
          : `was given up after ${tries} attempts`;
      log(new Error(`The event "${name}" ${reason}: ${error.code}.`));
      group.waiting.get(number)?.({ error });
    });
    return undefined;
  }

  /**
   * Finds the event because of which a turn could not be written, and counts its attempt.
   *
   * @throws ProcedureError if the store fails as a whole
   */
  async function onFailedTurn(cause: ProcedureError, ran: EventTurn['ran'], finish: Finish): Promise<void> {
    const { report: error } = cause;
    for (const { call } of ran) call.end({ error });
    const [only, ...others] = ran;
    // After a write in doubt, the next turn sees which records are left.
    if (error.code !== 'NOT_STORED' || only === undefined) throw cause;
    batch = 1;
    // This write also shows whether the store works.
    if (others.length === 0) await carryOut([only.group], finish, { record: only.record, error });
  }

  return { carryOut };
}

const pauseOf = (record: EventRecord, { newer }: Group): Pause =>
  newer.has(record.number) ? NO_END : record;
