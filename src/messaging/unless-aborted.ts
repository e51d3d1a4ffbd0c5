/** What `work` gives, or a rejection as soon as the signal is aborted: nobody waits for what nobody asks for any more. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop);
  });
  try {
    const value = await Promise.race([work(), aborted]);
    signal.throwIfAborted();
    // Unless the signal was aborted, it was the work that came first.
    return value as T;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
