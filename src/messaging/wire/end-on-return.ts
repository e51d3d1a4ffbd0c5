/**
 * Lets `return()` of a generator end it at once. By itself, a generator returns only after its pending `next()` has settled,
 * which may take hours if it waits for a change.
 *
 * @param ended ends what the generator waits for
 */
export function endOnReturn<T>(
  values: AsyncGenerator<T, void>,
  ended: AbortController,
): AsyncGenerator<T, void> {
  const end = values.return.bind(values);
  values.return = (value) => {
    ended.abort();
    return end(value);
  };
  return values;
}
