import type { Translate } from '../../ui/text.ts';
import type { CallRecord, Log } from './background.ts';

/** Number of rows in the table. */
const ROWS = 500;

/** A message, or the start of a background, which has no record. */
export interface Row {
  /** Start of the background in ms since 1970. */
  readonly startedAt: number;
  readonly record?: CallRecord;
  readonly outcome: string;
}

/** Returns the newest rows. The latest background is first. In each, open messages are first, and its start is last. */
export function rowsOf(logs: readonly Log[], t: Translate): readonly Row[] {
  const rows = logs.toReversed().flatMap(({ startedAt, records }, age) => {
    const own = records.toReversed().map((record): Row => {
      return { startedAt, record, outcome: describeOutcome(record, age > 0, t) };
    });
    return own.concat({ startedAt, outcome: t('messages_start') });
  });
  return rows.slice(0, ROWS);
}

/** Returns the caller, with the number of its connection if it has one. */
export function callerOf({ caller, connection }: CallRecord): string {
  return connection === undefined ? caller : `${caller} ${connection}`;
}

/** Returns the text for an outcome, or the code of an error. */
function describeOutcome({ outcome }: CallRecord, hasStopped: boolean, t: Translate): string {
  switch (outcome) {
    case 'open':
      return t(hasStopped ? 'message_stopped' : 'message_open');
    case 'value':
      return t('message_value');
    case 'end':
      return t('message_end');
    case 'later':
      return t('message_later');
    default:
      return outcome;
  }
}
