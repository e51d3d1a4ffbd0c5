import { BACKGROUND } from '../callers.ts';
import { CallError, type ErrorCode, type ErrorReport, type ProcedureError } from '../errors.ts';
import { answerInTurn, type Call, type CallServer, openCall, type Settled } from '../server/call.ts';
import { EVENT } from '../state/journal.ts';
import { quarantineText, quarantineValue } from '../state/quarantine.ts';
import type { Turn } from '../state/turn.ts';
import { BATCH, type EventRecord, type Group, NO_END, NO_PAUSE, parseGroup, toGroupText } from './records.ts';
import { ATTEMPTS, isNewer, type Pause, pauseAfter, timeLeft } from './retry.ts';

/** A turn in which events are carried out, until it is written. */
interface EventTurn {
  readonly turn: Turn;
  /** The events that ran. */
  readonly ran: { readonly call: Call; readonly record: EventRecord; readonly group: Group }[];
  /** Groups of which no record stays. */
  readonly emptied: Set<Group>;
  /** What to do when the write has succeeded. */
  readonly onWritten: (() => void)[];
  /** A key that shows whether the write took place, as in `Turn.commit`. Without a change, there is none. */
  proof: string | undefined;
  /** No further event starts. */
  isFull: boolean;
}

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
  /** Records of earlier backgrounds whose next attempt is counted already, by group and number. */
  const counted = new Set<string>();
  /** Records of a newer version of the extension. They wait for that version. */
  const strange = new Set<string>();
  /** Most events in a turn. After a failed write it is 1, to find the event that cannot be stored, and then it doubles. */
  let batch = BATCH;

  /**
   * Carries out the due events of these groups in one turn.
   *
   * @param finish stages more changes before the write. It gets the groups that are empty then.
   * @returns the empty groups
   * @throws ProcedureError if the store fails as a whole
   */
  async function carryOut(
    groups: readonly Group[],
    finish: (turn: Turn, emptied: ReadonlySet<Group>) => void,
  ): Promise<ReadonlySet<Group>> {
    const turn = await state.takeTurn();
    const current = openEventTurn(turn);
    try {
      const stored = await turn.read(groups.map(({ key }) => key));
      const endAt = performance.now() + TURN;
      for (const group of groups) await visit(group, stored[group.key], current, endAt);
      finish(turn, current.emptied);
      if (current.proof !== undefined) await turn.commit(current.proof);
    } catch (error) {
      turn.end();
      await onFailedTurn(error as ProcedureError, current);
      return new Set();
    } finally {
      turn.end();
    }
    batch = Math.min(batch * 2, BATCH);
    for (const settle of current.onWritten) settle();
    return current.emptied;
  }

  /** Carries out the due events of a group, and stages the records that stay. */
  async function visit(group: Group, stored: unknown, current: EventTurn, endAt: number): Promise<void> {
    const records = parseGroup(stored);
    if (records === undefined) return abandon(group, stored, current);

    // An earlier write that was in doubt has carried out the others.
    const numbers = new Set(records.map(({ number }) => number));
    settleInDoubt(group, current, (number) => !numbers.has(number));
    const rest: EventRecord[] = [];
    for (const record of records) {
      current.isFull ||= performance.now() > endAt;
      const isReady = !current.isFull && current.ran.length < batch && timeLeft(pauseOf(record, group)) === 0;
      const left = isReady ? await attempt(record, group, current) : record;
      if (left !== undefined) rest.push(left);
    }
    stageGroup(group, rest, stored, current);
  }

  function stageGroup(group: Group, rest: readonly EventRecord[], stored: unknown, current: EventTurn): void {
    const text = rest.length === 0 ? null : toGroupText(rest);
    if (text === null) current.emptied.add(group);
    if (text !== stored) {
      current.turn.stage({ [group.key]: text });
      current.proof ??= group.key;
    }
    current.onWritten.push(() => {
      group.size = rest.length;
      const pauses = rest.map((record) => pauseOf(record, group));
      group.pause = pauses.toSorted((a, b) => timeLeft(a) - timeLeft(b))[0] ?? NO_END;
    });
  }

  /** Forgets a group that another background has carried out, that was never stored, or that is damaged. */
  function abandon(group: Group, stored: unknown, current: EventTurn): void {
    if (stored !== undefined) {
      current.turn.stage({ [group.key]: null, ...quarantineValue('queue', stored) });
      current.proof ??= group.key;
    }
    current.emptied.add(group);
    settleInDoubt(group, current, () => true);
  }

  function settleInDoubt(group: Group, { onWritten }: EventTurn, isGone: (number: number) => boolean): void {
    onWritten.push(() => {
      for (const [number, settle] of group.waiting) {
        // A promise that is settled already stays as it is.
        if (isGone(number)) settle({ error: { code: 'IN_DOUBT' } }, 'unknown');
      }
    });
  }

  /** Runs an event, or counts its attempt. Returns the record if it stays. */
  async function attempt(
    record: EventRecord,
    group: Group,
    current: EventTurn,
  ): Promise<EventRecord | undefined> {
    const { name, input, key, tries } = record;
    const id = idOf(record, group);
    if (group.isLeft && !counted.has(id)) {
      // Its background has died before, perhaps because of this event. So its attempt is counted alone, before it runs.
      current.isFull = true;
      if (current.ran.length > 0) return record;
      if (tries >= ATTEMPTS) return giveUp(record, group, current, { code: 'INTERNAL' });
      current.onWritten.push(() => counted.add(id));
      return { ...record, tries: tries + 1 };
    }
    const call = openCall(server, {
      caller: BACKGROUND,
      kind: 'mutation',
      name,
      input,
      attempt: group.isLeft ? tries : tries + 1,
      ...(key !== undefined && { identity: { source: `${EVENT}${name}/${key}`, id: 1, name } }),
    });
    current.ran.push({ call, record, group });
    const settled = await answerInTurn(server, call, current.turn);
    // The lock has a limit, and an event that a background did not survive runs alone.
    if (call.signal.aborted || (group.isLeft && tries > 1)) current.isFull = true;
    current.onWritten.push(() => {
      counted.delete(id);
      call.end(settled);
    });
    return onSettled(record, group, current, settled);
  }

  /** Returns the record of an event if it will be tried again. @throws ProcedureError if the store fails as a whole */
  async function onSettled(
    record: EventRecord,
    group: Group,
    current: EventTurn,
    settled: Settled,
  ): Promise<EventRecord | undefined> {
    const { name, number } = record;
    if (!('error' in settled)) {
      current.onWritten.push(() => group.waiting.get(number)?.(settled, 'handled'));
      return undefined;
    }
    const { error } = settled;
    const logOnce = (): void => {
      // An incident is logged already.
      if (error.incident === undefined) log(new CallError(name, error, 'handled'));
    };
    if (STRANGE.has(error.code) && record.version !== version) {
      if (!isNewer(record.version, version)) return giveUp(record, group, current, error);
      strange.add(idOf(record, group));
      return record;
    }
    if (FINAL.has(error.code)) {
      current.onWritten.push(logOnce, () => group.waiting.get(number)?.(settled, 'handled'));
      return undefined;
    }
    // If the store can be read, the fault is in this event.
    await state.peek([group.key]);
    const tries = group.isLeft ? record.tries : record.tries + 1;
    if (tries >= ATTEMPTS) return giveUp({ ...record, tries }, group, current, error);
    current.onWritten.push(logOnce);
    return { ...record, tries, ...pauseAfter(tries) };
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
      log(new Error(`The event "${name}" was given up after ${tries} attempts: ${error.code}.`));
      group.waiting.get(number)?.({ error }, 'handled');
    });
    return undefined;
  }

  /**
   * Finds the event because of which a turn could not be written, and counts its attempt.
   *
   * @throws ProcedureError if the store fails as a whole
   */
  async function onFailedTurn(error: ProcedureError, { ran }: EventTurn): Promise<void> {
    const report = error.report ?? { code: 'INTERNAL' };
    for (const { call } of ran) call.end({ error: report });
    const [only, ...others] = ran;
    // After a write in doubt, the next turn sees which records are left.
    if (report.code !== 'NOT_STORED' || only === undefined) throw error;
    if (others.length > 0) {
      batch = 1;
      return;
    }
    const { group, record } = only;
    // This write also shows whether the store works.
    const turn = await state.takeTurn();
    const current = openEventTurn(turn);
    try {
      const { [group.key]: stored } = await turn.read([group.key]);
      const rest: EventRecord[] = [];
      for (const other of parseGroup(stored) ?? []) {
        const isFault = other.number === record.number;
        const left = isFault ? await onSettled(other, group, current, { error: report }) : other;
        if (left !== undefined) rest.push(left);
      }
      stageGroup(group, rest, stored, current);
      await turn.commit(group.key);
    } finally {
      turn.end();
    }
    counted.delete(idOf(record, group));
    for (const settle of current.onWritten) settle();
  }

  function pauseOf(record: EventRecord, group: Group): Pause {
    if (strange.has(idOf(record, group))) return NO_END;
    return record.wait === 0 ? NO_PAUSE : record;
  }

  return {
    carryOut,
    /** Remembers that the next attempt of a record of an earlier background is counted already. */
    setCounted: (record: EventRecord, group: Group): void => void counted.add(idOf(record, group)),
  };
}

const openEventTurn = (turn: Turn): EventTurn => ({
  turn,
  ran: [],
  emptied: new Set(),
  onWritten: [],
  proof: undefined,
  isFull: false,
});

const idOf = ({ number }: EventRecord, { key }: Group): string => `${key}/${number}`;
