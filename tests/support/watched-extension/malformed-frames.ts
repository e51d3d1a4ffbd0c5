import fc from 'fast-check';

/** The number of a stream that runs while malformed frames are sent: another call of that number is a duplicate. */
const STREAM_ID = 1;

/** The name of a page whose mutation number 1,000 took effect: each lower number is a forged one. */
const FORGED_PAGE = 'forged';

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
const malformedFrame: fc.Arbitrary<unknown> = fc.oneof(
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

const MIB = 1024 * 1024;
const large = {
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
function* hugeFrames(): Generator {
  for (const bytes of [1, 1_024, 65_536, MIB, 4 * MIB, 16 * MIB, 63 * MIB, 65 * MIB]) {
    yield { ...large, input: 'x'.repeat(bytes) };
  }
  yield { ...large, name: 'x'.repeat(MIB) };
  yield { ...large, page: 'x'.repeat(MIB) };

  for (const nest of [(inner: unknown) => [inner], (inner: unknown) => ({ a: inner })]) {
    yield deep(nest);
    yield { ...large, input: deep(nest) };
    yield { ...large, name: deep(nest) };
    yield { ...large, id: deep(nest) };
    yield { kind: 'abort', id: 8, reason: deep(nest) };
  }

  const many = Array.from({ length: 1_000_000 }, (_, index) => index);
  yield many;
  yield { ...large, input: many };
  yield Object.fromEntries(many.slice(0, 100_000).map((key) => [`key${key}`, key]));
}

/** 5,000 levels. */
function deep(nest: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 5_000; level += 1) value = nest(value);
  return value;
}

/** What became of malformed frames. */
interface MalformedReport {
  readonly sent: number;
  /** Frames that the browser did not take: too large, or not to be copied. */
  readonly refused: number;
  /** Error answers, by code. What is left was passed over. */
  readonly answers: Readonly<Record<string, number>>;
  /** The first answers that were no typed errors. */
  readonly unexpected: readonly unknown[];
  readonly isPortOpen: boolean;
}

/** Frames that are sent before a well-formed query shows that the worker has taken them all. */
const BATCH = 500;

const ADD = {
  kind: 'mutation',
  id: 1_000,
  name: 'counter.add',
  input: 1,
  attempt: 1,
  timeout: 600_000,
  sentAt: Date.now(),
};
const WATCH = { kind: 'subscription', id: STREAM_ID, name: 'counter.watch', attempt: 1 };
const FENCE = { kind: 'query', name: 'worker.facts', attempt: 1, timeout: 60_000 };

/** Sends generated frames that are malformed, and unless told otherwise the huge ones, over one real port of this page. */
export async function sendMalformed(seed: number, count: number, isHugeToo = true): Promise<MalformedReport> {
  const port = chrome.runtime.connect();
  const answers: Record<string, number> = {};
  const unexpected: unknown[] = [];
  const waiting = new Map<number, () => void>();
  let [sent, refused, fences, isPortOpen] = [0, 0, 1_000_000, true];

  port.onDisconnect.addListener(() => (isPortOpen = false));
  port.onMessage.addListener((message) => {
    for (const frame of message as readonly unknown[]) {
      const { kind, id, error } = frame as { kind: string; id: number; error?: { code: string } };
      if (waiting.has(id)) waiting.get(id)?.();
      else if (kind === 'error' && error !== undefined) answers[error.code] = (answers[error.code] ?? 0) + 1;
      else if (kind !== 'ready' && unexpected.length < 5) unexpected.push(frame);
    }
  });

  function post(frame: unknown): void {
    sent += 1;
    try {
      // An array is a message: what is not a frame may stand in one, or for one.
      port.postMessage(Array.isArray(frame) ? frame : [frame]);
    } catch {
      refused += 1;
    }
  }
  const answered = (frame: { readonly id: number; readonly [key: string]: unknown }): Promise<void> =>
    new Promise((resolve) => {
      waiting.set(frame.id, resolve);
      port.postMessage([frame]);
    });
  const fence = (): Promise<void> => answered({ ...FENCE, id: (fences += 1) });

  await answered({ ...ADD, page: FORGED_PAGE, sentAt: Date.now() });
  await answered(WATCH);
  if (isHugeToo) {
    for (const frame of hugeFrames()) {
      post(frame);
      await fence();
    }
  }
  for (let batch = 0; sent < count; batch += 1) {
    const numRuns = Math.min(BATCH, count - sent);
    for (const frame of fc.sample(malformedFrame, { seed: seed + batch, numRuns })) post(frame);
    await fence();
  }
  port.disconnect();
  return { sent, refused, answers, unexpected, isPortOpen };
}
