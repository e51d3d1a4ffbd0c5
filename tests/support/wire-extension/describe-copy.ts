/** What is left of a value behind a wire, in words: kinds, and members that are there, each on its way down. */
export function describeCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeCopy);
  if (typeof value !== 'object' || value === null) {
    return Object.is(value, -0) ? 'number -0' : `${typeof value} ${String(value)}`;
  }
  const members = Object.entries(value).map(([key, member]) => [key, describeCopy(member)]);
  return [Object.prototype.toString.call(value), members];
}
