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
const subscription = { kind: 'subscription', id: 7, attempt: 1, name: 'counter.watch' };

const polluting = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';

const primitives = [null, true, Number.NaN, -0, -1, 1.5, Infinity, 1n];
const objects: readonly unknown[] = [
  [],
  [1],
  {},
  { id: 1 },
  { toString: 1, valueOf: 1 },
  new Map([[1, 2]]),
  new Set([1]),
  /a/g,
];

/** Values that JSON, a clone or a parser may mishandle. None is a text, a positive integer or the input of a procedure. */
const values: readonly unknown[] = [...primitives, ...objects, JSON.parse(polluting)];

/** Texts that are neither a kind of frame from a page nor the name of a procedure. */
const texts = ['', '1', '__proto__', 'constructor', 'then', 'counter.reset', '\uD800', 'x'.repeat(200)];

const wrong = [...values, ...texts];

/** Frames that are valid except for one member. */
const broken = [query, { ...query, input: 1 }, mutation, subscription].flatMap((frame) =>
  // Any text can be the name of a page.
  Object.keys(frame).flatMap((member) =>
    (member === 'page' ? values : wrong).map((value) => ({ ...frame, [member]: value })),
  ),
);

const malformedFrames: readonly unknown[] = [
  ...wrong,
  ...broken,
  ...['abort', 'pull', 'mutation', 'value', 'ready'].flatMap((kind) =>
    values.map((reason) => ({ kind, id: 2_000, reason })),
  ),
];

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
    for (const member of ['input', 'name', 'page']) yield { ...mutation, [member]: value };
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
 * Sends malformed frames, after the huge ones if `isHugeToo`, over one real port of this page. Returns what was answered: the
 * code of each error, and the first other frames. Frames without an answer were ignored, or refused by the browser.
 */
export async function sendMalformed(count: number, isHugeToo: boolean) {
  const port = chrome.runtime.connect({ name: 'messaging' });
  const answers = new Set<unknown>();
  const waiting = new Map<number, () => void>();
  let [sent, fences, isPortOpen] = [0, 1_000_000, true];

  port.onDisconnect.addListener(() => (isPortOpen = false));
  port.onMessage.addListener((message) => {
    for (const frame of message as { kind: string; id: number; error?: { code: string } }[]) {
      const { kind, id, error } = frame;
      if (waiting.has(id)) waiting.get(id)?.();
      else if (kind !== 'ready') answers.add(error?.code ?? JSON.stringify(frame));
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
      port.postMessage([{ ...query, id: fences }]);
    });

  for (const frame of isHugeToo ? hugeFrames() : []) {
    post(frame);
    await fence();
  }
  while (sent < count) {
    post(malformedFrames[sent % malformedFrames.length]);
    if (sent % BATCH === 0 || sent === count) await fence();
  }
  port.disconnect();
  return { sent, answers: [...answers], isPortOpen };
}
