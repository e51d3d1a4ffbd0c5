import fc from 'fast-check';

const call = { id: 7, attempt: 1, timeout: 600_000 };
const query = { ...call, kind: 'query', name: 'counter.read' };
const mutation = {
  ...call,
  kind: 'mutation',
  name: 'counter.add',
  input: 1,
  page: 'raw',
  sentAt: Date.now(),
};
const subscription = { ...call, kind: 'subscription', name: 'counter.watch' };
const acknowledgement = { kind: 'ack', id: 7, page: 'raw' };

/** Generates anything but a valid frame. The arbitrary is created only when it is needed, because that takes a second. */
function createMalformedFrame(): fc.Arbitrary<unknown> {
  const texts = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'then', 'counter.reset', '', '\uD800', 'a\uDC00b'),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );

  /** Values that JSON or a parser may mishandle. */
  const values = fc.oneof(
    fc.jsonValue(),
    texts,
    fc.constantFrom<unknown>(null, undefined, Number.NaN, -0, Infinity, 2 ** 53, new Date(0), new Map(), 1n),
    fc.constant({ toString: 1, valueOf: 1 }),
    fc.constant(JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')),
    fc.dictionary(texts, fc.jsonValue()),
    fc.anything({ maxDepth: 3 }),
  );

  const notCounts = fc.oneof(fc.constantFrom<unknown>(0, -1, 1.5, '1', null, 2 ** 53, [1], { id: 1 }), texts);
  const notInputs = values.filter((value) => !(Number.isInteger(value) && Number(value) > 0));
  // Chromium's JSON wire turns a date into a text. It also drops some values, which the next line leaves out.
  const notTexts = notInputs.filter((value) => typeof value !== 'string' && !(value instanceof Date));
  const something = notInputs.filter((value) => !['undefined', 'function', 'symbol'].includes(typeof value));
  const kinds = fc.oneof(
    fc.constantFrom('mutation', 'ack', 'pull', 'abort', 'value', 'ready', '__proto__'),
    texts,
  );
  const unknownNames = texts.filter((name) => !name.includes('.') || name === 'counter.reset');

  /** Frames that are valid except for one field, and the wrong values of that field. */
  const broken = [
    [query, 'id', notCounts],
    [query, 'name', fc.oneof(unknownNames, notTexts)],
    [query, 'kind', kinds],
    [query, 'attempt', notCounts],
    [query, 'timeout', notCounts],
    [query, 'input', something],
    [mutation, 'page', notTexts],
    [mutation, 'sentAt', notCounts],
    [mutation, 'input', notInputs],
    [mutation, 'name', unknownNames],
    [subscription, 'attempt', notCounts],
    [subscription, 'name', unknownNames],
    [acknowledgement, 'id', notCounts],
    [acknowledgement, 'page', notTexts],
  ].map(([frame, field, value]) =>
    (value as fc.Arbitrary<unknown>).map((bad) => Object.assign({}, frame, { [field as string]: bad })),
  );

  return fc.oneof(
    { arbitrary: values, weight: 4 },
    { arbitrary: fc.oneof(...broken), weight: 13 },
    { arbitrary: fc.record({ kind: kinds, id: fc.integer({ min: 2_000 }), reason: values }), weight: 2 },
  );
}

const MIB = 1024 * 1024;

/** Yields frames that are refused for their size or depth. It is a generator because they do not fit into memory together. */
function* hugeFrames(): Generator {
  for (const length of [65_536, MIB, 63 * MIB, 65 * MIB]) {
    yield { ...mutation, input: 'x'.repeat(length) };
  }
  const many = Array.from({ length: 1_000_000 }, (_, index) => index);
  yield many;
  yield { ...mutation, input: many };
  for (const value of [deep((inner) => [inner]), deep((inner) => ({ a: inner })), 'x'.repeat(MIB)]) {
    for (const field of ['input', 'name', 'page']) yield { ...mutation, [field]: value };
    yield { kind: 'abort', id: 8, reason: value };
    yield value;
  }
  yield Object.fromEntries(many.slice(0, 100_000).map((key) => [`key${key}`, key]));
}

/** Nests a value 5,000 levels deep. */
function deep(nest: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 5_000; level += 1) value = nest(value);
  return value;
}

/** Number of frames between two well-formed queries, whose answers show that the worker has processed them. */
const BATCH = 500;

/**
 * Sends generated frames, after the huge ones if `isHugeToo`, over one real port of this page. Returns the number of errors
 * that were answered, by code, and the first other answers. Frames without an answer were ignored, or refused by the browser.
 */
export async function sendMalformed(seed: number, count: number, isHugeToo: boolean) {
  const port = chrome.runtime.connect({ name: 'messaging' });
  const answers: Record<string, number> = {};
  const unexpected: unknown[] = [];
  const waiting = new Map<number, () => void>();
  let [sent, fences, isPortOpen] = [0, 1_000_000, true];

  port.onDisconnect.addListener(() => (isPortOpen = false));
  port.onMessage.addListener((message) => {
    for (const frame of message as readonly unknown[]) {
      const { kind, id, error } = frame as { kind: string; id: number; error?: { code: string } };
      if (kind === 'ready') continue;
      if (waiting.has(id)) waiting.get(id)?.();
      else if (kind === 'error' && error !== undefined) answers[error.code] = (answers[error.code] ?? 0) + 1;
      else if (unexpected.length < 5) unexpected.push(frame);
    }
  });

  function post(frame: unknown): void {
    sent += 1;
    try {
      // A message is an array of frames. A generated array is sent as the message itself, anything else as its only frame.
      port.postMessage(Array.isArray(frame) ? frame : [frame]);
    } catch {
      // The browser refuses values that are too large or cannot be copied.
    }
  }
  const fence = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.set((fences += 1), resolve);
      port.postMessage([{ ...query, name: 'worker.facts', id: fences }]);
    });

  for (const frame of isHugeToo ? hugeFrames() : []) {
    post(frame);
    await fence();
  }
  const malformedFrame = createMalformedFrame();
  for (let batch = 0; sent < count; batch += 1) {
    const numRuns = Math.min(BATCH, count - sent);
    for (const frame of fc.sample(malformedFrame, { seed: seed + batch, numRuns })) post(frame);
    await fence();
  }
  port.disconnect();
  return { sent, answers, unexpected, isPortOpen };
}
