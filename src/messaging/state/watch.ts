/**
 * Yields the result of `look`, now and after events with these names, until the signal is aborted. Events that come while a
 * value is consumed cause one more value.
 */
export async function* watchChanges<T>(
  changes: EventTarget,
  names: readonly string[],
  signal: AbortSignal,
  look: () => T | Promise<T>,
): AsyncGenerator<T, void> {
  while (!signal.aborted) {
    const listening = new AbortController();
    const once = { signal: listening.signal };
    const changed = new Promise<unknown>((resolve) => {
      for (const name of names) changes.addEventListener(name, resolve, once);
      signal.addEventListener('abort', resolve, once);
    });
    try {
      yield await look();
      await changed;
    } finally {
      listening.abort();
    }
  }
}
