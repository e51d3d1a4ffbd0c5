/** Returns values by name. @throws TypeError if two different ones have the same name */
export function indexByName<T>(
  what: string,
  values: readonly (readonly [name: string, value: T])[],
): ReadonlyMap<string, T> {
  const byName = new Map<string, T>();
  for (const [name, value] of values) {
    if (byName.has(name) && byName.get(name) !== value) throw new TypeError(`Two ${what} "${name}".`);
    byName.set(name, value);
  }
  return byName;
}

/** Checks a number that the extension's own code passes, because a type cannot limit it. @throws TypeError unless it is above 0 */
export function checkLimit(what: string, value: unknown, isWhole = true): void {
  const isPositive = typeof value === 'number' && value > 0;
  if (isPositive && (!isWhole || value === Infinity || Number.isSafeInteger(value))) return;
  throw new TypeError(`${what} must be a positive ${isWhole ? 'whole ' : ''}number, not ${String(value)}.`);
}
