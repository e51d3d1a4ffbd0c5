import type { Abort } from './create-abort.ts';
import type { AnswerFrame } from './frame.ts';

/** Where the answers to a call or a stream go, and when a stream's next value is wanted. */
export interface Consumer {
  readonly abort: Abort;
  readonly send: (frame: AnswerFrame) => void;
  /** Waits until one more value is asked for. */
  readonly pulled: () => Promise<void>;
}

/**
 * Passes on what a handler's generator yields, which is asked for a value only when the consumer asks for one.
 *
 * @param log is told what the generator throws when it is stopped
 */
export async function runStream(
  stream: AsyncIterable<unknown>,
  { abort, pulled }: Consumer,
  pass: (value: unknown) => Promise<void>,
  log: (error: unknown) => void,
): Promise<void> {
  const values = stream[Symbol.asyncIterator]();
  const stop = (): void => void values.return?.().catch(log);
  const ask = (): Promise<IteratorResult<unknown>> => abort.race(() => values.next());
  abort.signal.addEventListener('abort', stop);
  try {
    for (let next = await ask(); next.done !== true; next = await ask()) {
      await pass(next.value);
      await abort.race(pulled);
    }
  } finally {
    stop();
  }
}
