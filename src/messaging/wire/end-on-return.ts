/**
 * Lets `return()` of a generator end what the generator waits for. By itself, a generator returns only after its pending
 * `next()` has settled, which may take hours if it waits for a change.
 *
 * @param start creates the generator, which ends when its signal is aborted
 */
export function endOnReturn<T>(
  signal: AbortSignal | undefined,
  start: (signal: AbortSignal) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const ended = new AbortController();
  const values = start(signal === undefined ? ended.signal : AbortSignal.any([ended.signal, signal]));
  const end = values.return.bind(values);
  values.return = (value) => {
    ended.abort();
    return end(value);
  };
  return values;
}
