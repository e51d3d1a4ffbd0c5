/** An error that asks for another attempt after some time. The attempt does not count as failed. */
export class RunLater extends Error {
  override readonly name = 'RunLater';
  /** Milliseconds until the next attempt. */
  readonly wait: number;
  /** No other task that uses the service of this one starts before that. */
  readonly pausesService: boolean;

  constructor(wait: number, pausesService: boolean) {
    super(`The task asked for a pause of ${wait} ms.`);
    this.wait = wait;
    this.pausesService = pausesService;
  }
}

/** Milliseconds before another attempt if a service does not say when. */
const UNKNOWN_WAIT = 60_000;

/**
 * Least milliseconds before another attempt. Otherwise a service that asks for no pause, or a clock that is ahead of the date of
 * a service, would cause attempts without end or pause.
 */
const LEAST_WAIT = 1_000;

/** Most milliseconds that a service can ask for. A longer pause is more likely a mistake. */
const MOST_WAIT = 24 * 60 * 60 * 1_000;

/** Milliseconds, or the value of the HTTP header `Retry-After`: a text with whole seconds, or with a date. */
type Wait = number | string | null | undefined;

/**
 * Returns an error for `run` to throw, so that this task runs again later and the attempt does not count:
 * `throw runLater(5_000)`.
 *
 * @param after milliseconds, or the value of `Retry-After`. The task waits at least a second, at most a day if the value is a
 *   header, and a minute if the value is missing or invalid.
 */
export function runLater(after: Wait): RunLater {
  return new RunLater(toWait(after), false);
}

/**
 * Returns an error for `run` to throw when a service asks for fewer requests. It does the same as `runLater`, and no other task
 * that uses the same service starts during the pause: `throw pauseService(response.headers.get('Retry-After'))`.
 *
 * @param after as for `runLater`
 */
export function pauseService(after: Wait): RunLater {
  return new RunLater(toWait(after), true);
}

/** An error of a task that can never succeed. */
export class GiveUp extends Error {
  override readonly name = 'GiveUp';
}

/**
 * Returns an error for `run` to throw, so that the task is given up without another attempt:
 * `throw giveUp('The service does not know this page.')`.
 *
 * @param reason the message of the error that `failed` gets
 */
export function giveUp(reason: string): GiveUp {
  return new GiveUp(reason);
}

function toWait(after: Wait): number {
  const wait = typeof after === 'number' ? after : parseHeader(String(after));
  return Number.isFinite(wait) ? Math.max(wait, LEAST_WAIT) : UNKNOWN_WAIT;
}

/**
 * Returns the milliseconds that a `Retry-After` header asks for, or NaN if it is not valid. Only a date that is written as
 * https://www.rfc-editor.org/rfc/rfc9110#name-date-time-formats prefers is valid, because `Date.parse` also reads `45.5` as a date.
 */
function parseHeader(header: string): number {
  const text = header.trim();
  if (/^\d+$/u.test(text)) return Math.min(Number(text) * 1_000, MOST_WAIT);
  const time = Date.parse(text);
  return new Date(time).toUTCString() === text ? Math.min(time - Date.now(), MOST_WAIT) : Number.NaN;
}
