/**
 * Yields what `look` gives, now and after every event `name`, until the signal is aborted. Several events between two
 * looks are one.
 */
export async function* followChanges<T>(
  changes: EventTarget,
  name: string,
  signal: AbortSignal,
  look: () => T | Promise<T>,
): AsyncGenerator<T, void> {
  let hasChanged = true;
  let wake = (): void => {};
  const notice = (): void => {
    hasChanged = true;
    wake();
  };
  changes.addEventListener(name, notice);
  signal.addEventListener('abort', notice);
  try {
    while (!signal.aborted) {
      if (hasChanged) {
        hasChanged = false;
        yield await look();
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    changes.removeEventListener(name, notice);
    signal.removeEventListener('abort', notice);
  }
}
