import type { StateWatcher } from '../messaging/create-state.ts';

/**
 * Yields at first, and whenever something changes under one of these keys. Once a key at first, so at times too often.
 */
export async function* watchKeys(
  state: StateWatcher,
  keys: readonly string[],
): AsyncGenerator<undefined, void> {
  const watches = keys.map((key) => state.watch(key));
  const pending = new Map(watches.map((watch) => [watch, next(watch)]));
  try {
    for (;;) {
      const { watch, isDone } = await Promise.race(pending.values());
      if (isDone) return;
      pending.set(watch, next(watch));
      yield undefined;
    }
  } finally {
    for (const [watch, promise] of pending) {
      void watch.return();
      // One that fails has ended the others; that they fail too is no news.
      promise.catch(() => undefined);
    }
  }
}

type Watch = ReturnType<StateWatcher['watch']>;

async function next(watch: Watch): Promise<{ readonly watch: Watch; readonly isDone: boolean }> {
  const { done } = await watch.next();
  return { watch, isDone: done === true };
}
