import fc from 'fast-check';

/** The number of a stream that runs while malformed frames are sent: another call of that number is a duplicate. */
export const STREAM_ID = 1;

/** The name of a page whose mutation number 1,000 took effect: each lower number is a forged one. */
export const FORGED_PAGE = 'forged';

const query = { kind: 'query', id: 7, name: 'counter.read', attempt: 1, timeout: 600_000 };
const mutation = {
  ...query,
  kind: 'mutation',
  name: 'counter.add',
  input: 1,
  page: 'raw',
  sentAt: Date.now(),
};
const subscription = { kind: 'subscription', id: 7, name: 'counter.watch', attempt: 1 };

const names = [
  '__proto__',
  'constructor',
  'then',
  'toString',
  'hasOwnProperty',
  'counter',
  'counter.reset',
  '',
];
const texts = fc.oneof(
  fc.constantFrom(...names, '\uD800', 'a\uDC00b'),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Values that JSON has a hard time with, as a hostile page would choose them. */
const values = fc.oneof(
  fc.jsonValue(),
  texts,
  fc.constantFrom<unknown>(
    null,
    undefined,
    Number.NaN,
    -0,
    Infinity,
    2 ** 53,
    [],
    {},
    new Date(0),
    new Map(),
    1n,
  ),
  fc.constant({ toString: 1, valueOf: 1 }),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')),
  fc.dictionary(texts, fc.jsonValue()),
  fc.anything({ maxDepth: 3 }),
);

const notCounts = fc.oneof(fc.constantFrom<unknown>(0, -1, 1.5, '1', null, 2 ** 53, [1], { id: 1 }), texts);
const notNumbers = values.filter((value) => !(Number.isInteger(value) && Number(value) > 0));
const unknownNames = texts.filter((name) => !name.includes('.') || name === 'counter.reset');

const broken = fc.oneof(
  brokenIn(query, 'id', notCounts),
  brokenIn(query, 'name', fc.oneof(unknownNames, notNumbers)),
  brokenIn(
    query,
    'kind',
    fc.oneof(fc.constantFrom('mutation', 'subscription', 'value', 'ready', '__proto__'), texts),
  ),
  brokenIn(query, 'attempt', notCounts),
  brokenIn(query, 'timeout', notCounts),
  brokenIn(
    query,
    'input',
    notNumbers.filter((value) => isSent(value)),
  ),
  // A date is a text behind a wire that is JSON.
  brokenIn(
    mutation,
    'page',
    notNumbers.filter((value) => typeof value !== 'string' && !(value instanceof Date)),
  ),
  brokenIn(mutation, 'input', notNumbers),
  brokenIn(mutation, 'name', unknownNames),
  brokenIn(subscription, 'attempt', notCounts),
  brokenIn(subscription, 'name', unknownNames),
);

const duplicates = fc.constantFrom(
  { ...query, id: STREAM_ID },
  { ...mutation, id: STREAM_ID },
  { ...subscription, id: STREAM_ID },
);

const forged = fc.oneof(
  brokenIn({ ...mutation, page: FORGED_PAGE }, 'id', fc.integer({ min: 1, max: 999 })),
  fc.record({ kind: fc.constantFrom('pull', 'abort'), id: fc.integer({ min: 2_000 }), reason: values }),
  fc.record({
    kind: fc.constantFrom('value', 'next', 'end', 'error', 'ready'),
    id: fc.nat(),
    value: values,
  }),
);

/** Anything but a frame that the worker should act on. */
export const malformedFrame: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: values, weight: 4 },
  { arbitrary: broken, weight: 12 },
  { arbitrary: duplicates, weight: 1 },
  { arbitrary: forged, weight: 2 },
);

function brokenIn(frame: object, field: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return value.map((bad) => ({ ...frame, [field]: bad }));
}

/** Whether a member of this value is still there behind a wire that is JSON. */
function isSent(value: unknown): boolean {
  return !['undefined', 'function', 'symbol'].includes(typeof value);
}
