/** Checks a number that the extension's own code passes, because a type cannot limit it. @throws TypeError unless it is above 0 */
export function checkLimit(what: string, value: unknown, isWhole = true): void {
  const isPositive = typeof value === 'number' && value > 0;
  if (isPositive && (!isWhole || value === Infinity || Number.isSafeInteger(value))) return;
  throw new TypeError(`${what} must be a positive ${isWhole ? 'whole ' : ''}number, not ${String(value)}.`);
}
