/** Values that are no JSON, by a name. Made anew on each call. */
export function unstorableValues(): Readonly<Record<string, unknown>> {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  return {
    NaN: Number.NaN,
    '-0': [-0],
    Infinity: { below: Infinity },
    '-Infinity': -Infinity,
    function: () => {},
    BigInt: 1n,
    Date: new Date(0),
    Map: new Map([[1, 2]]),
    cycle: cycle,
    'lone surrogate': '\uD800',
    'inherited name': { below: { toString: 1 } },
    'undefined member': { gone: undefined },
  };
}
