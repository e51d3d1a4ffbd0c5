import type { Abort } from './create-abort.ts';

/**
 * Yields what a handler's generator yields, which is asked for a value only when one more is wanted.
 *
 * @param pulled waits until one more is wanted
 * @param log is told what the generator throws when it is stopped
 */
export async function* paceStream(
  stream: AsyncIterable<unknown>,
  pulled: () => Promise<void>,
  abort: Abort,
  log: (error: unknown) => void,
): AsyncGenerator<unknown, void> {
  const values = stream[Symbol.asyncIterator]();
  const stop = (): void => void values.return?.().catch(log);
  const ask = (): Promise<IteratorResult<unknown>> => abort.race(() => values.next());
  abort.signal.addEventListener('abort', stop);
  try {
    for (let next = await ask(); next.done !== true; next = await ask()) {
      yield next.value;
      await abort.race(pulled);
    }
  } finally {
    stop();
  }
}
