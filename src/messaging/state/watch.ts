/**
 * Yields the result of `look` now and after events of these names, until the signal is aborted. Several events that come
 * while a value is consumed count as one.
 */
export async function* watchChanges<T>(
  changes: EventTarget,
  names: readonly string[],
  signal: AbortSignal,
  look: () => T | Promise<T>,
): AsyncGenerator<T, void> {
  while (!signal.aborted) {
    const over = new AbortController();
    const once = { signal: over.signal };
    const changed = new Promise<unknown>((resolve) => {
      for (const name of names) changes.addEventListener(name, resolve, once);
      signal.addEventListener('abort', resolve, once);
    });
    try {
      yield await look();
      await changed;
    } finally {
      over.abort();
    }
  }
}
