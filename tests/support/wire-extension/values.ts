/** Returns values that a wire may change. Each call creates new ones. */
export function awkwardValues(): Readonly<Record<string, unknown>> {
  return {
    nothing: { here: undefined, below: [undefined, null] },
    numbers: [Number.NaN, Infinity, -0, 2 ** 53 + 2, 0.1],
    date: new Date(0),
    map: new Map([[1, { a: 1 }]]),
    set: new Set([1]),
    pattern: /a/g,
    bytes: new Uint8Array([1, 2, 3]),
    texts: ['é', '😀', '\uD800', '\u0000', '\u2028'],
    prototypes: JSON.parse('{"__proto__":{"a":1},"constructor":1,"then":1}') as unknown,
    empty: [{}, [], ''],
    holes: [1, , 3], // oxlint-disable-line no-sparse-arrays -- the test needs a hole
  };
}

/** Describes the copy of a value: its kind and, for an object, the descriptions of its members. */
export function describeCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(describeCopy);
  if (typeof value !== 'object' || value === null) {
    return Object.is(value, -0) ? 'number -0' : `${typeof value} ${String(value)}`;
  }
  const members = Object.entries(value).map(([key, member]) => [key, describeCopy(member)]);
  return [Object.prototype.toString.call(value), members];
}
