import * as v from 'valibot';

import { defineFeature, type Observe, subscription, watchChanges } from '../../define.ts';

/** The record of a call or a stream, without its input and output. */
const CallRecord = v.strictObject({
  /** Number of the call. Each background starts at 1. */
  number: v.number(),
  caller: v.string(),
  /** Number of the page's connection. Each background starts at 1. Calls of the background itself have none. */
  connection: v.exactOptional(v.number()),
  kind: v.picklist(['query', 'mutation', 'subscription', 'task']),
  name: v.string(),
  /** `open` until the call ends, then `value`, `end`, `later` for a task that asked to run later, or the code of an error. */
  outcome: v.string(),
  /** `true` if the call failed. A call that its caller has stopped does not count. */
  hasFailed: v.boolean(),
  /** Id of an unexpected error in the background's log. */
  incident: v.exactOptional(v.string()),
  /** Time of the start, in ms since 1970. */
  at: v.number(),
  /** Milliseconds that the background took. Missing until the call ends. */
  duration: v.exactOptional(v.number()),
  /** Number of times that the call was sent. */
  attempts: v.number(),
});

export type CallRecord = v.InferOutput<typeof CallRecord>;

/** The records that a background keeps. */
const Log = v.strictObject({
  /** Start of the background in ms since 1970. Together with `number`, it identifies a record. */
  startedAt: v.number(),
  /** The latest calls that have ended, in the order in which they ended, and then the open ones. */
  records: v.array(CallRecord),
  /** The latest failures, also of calls that are no longer in `records`. */
  failures: v.array(CallRecord),
});

export type Log = v.InferOutput<typeof Log>;

/** The log of this background. */
let log = createMessageLog();

export const messagesFeature = defineFeature({
  procedures: {
    /** The log of the background, now and when it changes. */
    'messages.watch': subscription({
      callers: ['options'],
      output: Log,
      handle: ({ signal }) => log.watch(signal),
    }),
  },
  observe: (call) => log.observe(call),
  start: () => {
    log = createMessageLog();
  },
});

/** Number of failures to keep. */
const FAILURES = 20;

/** Outcomes that are not failures. A call ends in `DISCONNECTED` when its page closes. */
const NOT_FAILURES: ReadonlySet<string> = new Set(['value', 'end', 'later', 'ABORTED', 'DISCONNECTED']);

/**
 * Records each call in memory, without its input and output.
 *
 * @param capacity number of ended calls to keep; older ones are dropped
 */
export function createMessageLog(capacity = 500) {
  const startedAt = performance.timeOrigin + performance.now();
  const open = new Map<number, CallRecord>();
  let ended: readonly CallRecord[] = [];
  let failures: readonly CallRecord[] = [];
  const changes = new EventTarget();
  let begun = 0;

  return {
    observe: ((call) => {
      const start = performance.now();
      begun += 1;
      const record: CallRecord = {
        ...call,
        caller: call.caller.name,
        number: begun,
        at: Date.now(),
        outcome: 'open',
        hasFailed: false,
      };
      open.set(record.number, record);
      changes.dispatchEvent(new Event('record'));

      return (outcome, incident) => {
        const hasFailed = !NOT_FAILURES.has(outcome);
        const ending = { outcome, hasFailed, duration: performance.now() - start };
        const final = { ...record, ...ending, ...(incident !== undefined && { incident }) };
        open.delete(record.number);
        ended = [...ended, final].slice(-capacity);
        if (hasFailed) failures = [...failures, final].slice(-FAILURES);
        changes.dispatchEvent(new Event('record'));
      };
    }) satisfies Observe,
    /** Yields the log, now and when it changes, until the signal is aborted. */
    watch: (signal: AbortSignal): AsyncGenerator<Log, void> =>
      watchChanges(changes, ['record'], signal, () => ({
        startedAt,
        records: [...ended, ...open.values()],
        failures: [...failures],
      })),
  };
}
