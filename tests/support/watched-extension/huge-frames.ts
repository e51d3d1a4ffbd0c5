const MIB = 1024 * 1024;
const mutation = {
  kind: 'mutation',
  id: 8,
  name: 'counter.add',
  input: 1,
  page: 'raw',
  attempt: 1,
  timeout: 600_000,
  sentAt: Date.now(),
};

/** Frames that are refused for their size or depth, one after the other: most are too large to be held at once. */
export function* hugeFrames(): Generator {
  for (const bytes of [1, 1_024, 65_536, MIB, 4 * MIB, 16 * MIB, 63 * MIB, 65 * MIB]) {
    yield { ...mutation, input: 'x'.repeat(bytes) };
  }
  yield { ...mutation, name: 'x'.repeat(MIB) };
  yield { ...mutation, page: 'x'.repeat(MIB) };

  for (const nest of [(inner: unknown) => [inner], (inner: unknown) => ({ a: inner })]) {
    yield deep(nest);
    yield { ...mutation, input: deep(nest) };
    yield { ...mutation, name: deep(nest) };
    yield { ...mutation, id: deep(nest) };
    yield { kind: 'abort', id: 8, reason: deep(nest) };
  }

  const many = Array.from({ length: 1_000_000 }, (_, index) => index);
  yield many;
  yield { ...mutation, input: many };
  yield Object.fromEntries(many.slice(0, 100_000).map((key) => [`key${key}`, key]));
}

/** 5,000 levels. */
function deep(nest: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 5_000; level += 1) value = nest(value);
  return value;
}
