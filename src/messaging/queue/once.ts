/** Returns a function that does work once. If it fails, the next call tries again. */
export function once<Arguments extends unknown[], T>(
  work: (...values: Arguments) => Promise<T>,
): (...values: Arguments) => Promise<T> {
  let result: Promise<T> | undefined;
  return (...values) => {
    result ??= work(...values).catch((error: unknown) => {
      result = undefined;
      throw error;
    });
    return result;
  };
}
