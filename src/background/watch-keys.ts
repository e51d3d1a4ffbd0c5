import type { StateWatcher } from '../messaging/create-state.ts';
import { createNotify } from '../messaging/create-notify.ts';

/**
 * Yields at first, and whenever something changes under one of these keys. Once a key at first, so at times too often.
 */
export async function* watchKeys(
  state: StateWatcher,
  keys: readonly string[],
): AsyncGenerator<undefined, void> {
  const { notify, notified } = createNotify();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    notify();
  };
  const watching = Promise.all(
    keys.map(async (key) => {
      for await (const _ of state.watch(key)) notify();
    }),
  );
  watching.then(end, end);

  for (;;) {
    await notified();
    if (isOver) break;
    yield undefined;
  }
  await watching;
}
