import { setTimeout as sleep } from 'node:timers/promises';

import type { Truthy } from './truthy.ts';

interface PollOptions {
  /** Milliseconds after which to give up. */
  readonly timeout: number;
  /** What was being waited for, to complete the sentence "Timed out waiting for …". */
  readonly waitingFor: string | (() => Promise<string>);
}

/** Asks every 25 ms until the answer is truthy, and returns that answer. An `ask` that rejects ends the wait. */
export async function pollUntil<T>(
  ask: () => Promise<T>,
  { timeout, waitingFor }: PollOptions,
): Promise<Truthy<T>> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const answer = await askUntil(ask, deadline);
    if (answer) return answer as Truthy<T>;
    if (performance.now() > deadline) break;
    await sleep(25);
  }
  const subject = typeof waitingFor === 'string' ? waitingFor : await waitingFor();
  throw new Error(`Timed out after ${timeout} ms waiting for ${subject}`);
}

/** The answer, or nothing when there is none by then. */
async function askUntil<T>(ask: () => Promise<T>, deadline: number): Promise<T | undefined> {
  const answered = new AbortController();
  const expired = sleep(Math.max(deadline - performance.now(), 0), undefined, { signal: answered.signal });
  try {
    return await Promise.race([ask(), expired]);
  } finally {
    answered.abort();
    await expired.catch(() => undefined);
  }
}
