import { createNotify } from './create-notify.ts';

/**
 * Yields what `look` gives, now and after every event `name`, until the signal is aborted. Of several events between
 * two looks only the last is seen.
 */
export async function* followChanges<T>(
  changes: EventTarget,
  name: string,
  signal: AbortSignal,
  look: () => T | Promise<T>,
): AsyncGenerator<T, void> {
  const { notify, notified } = createNotify();
  changes.addEventListener(name, notify);
  signal.addEventListener('abort', notify);
  try {
    while (!signal.aborted) {
      yield await look();
      await notified();
    }
  } finally {
    changes.removeEventListener(name, notify);
    signal.removeEventListener('abort', notify);
  }
}
