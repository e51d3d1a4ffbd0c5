import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';

const SECRET = 'the-secret-that-must-stay';

/** The secret, alone or within something, somewhere. */
const secret = fc.constantFrom<unknown[]>(
  SECRET,
  `at ${SECRET}:1:2`,
  { deep: [SECRET] },
  { [SECRET]: 1 },
  new Error(SECRET, { cause: SECRET }),
  { toJSON: () => SECRET, toString: () => SECRET },
);

/** Where a thrown error carries the secret; also where the core's own errors keep what the caller gets. */
const properties = fc.dictionary(
  fc.constantFrom(
    'message',
    'stack',
    'cause',
    'name',
    'code',
    'report',
    'issues',
    'declared',
    'incident',
    'then',
  ),
  secret,
);

const thrown = fc.oneof(
  fc
    .tuple(fc.constantFrom(Error, TypeError, RangeError, DOMException), secret, properties)
    .map(([ErrorClass, message, own]) => define(new ErrorClass(String(message)), own)),
  fc.tuple(secret, properties).map(([cause, own]) => define(new AggregateError([cause], SECRET), own)),
  fc.tuple(secret, properties).map(([cause, own]) => define(new Error(SECRET, { cause }), own)),
  properties.map((own) => define(Object.create(null) as object, own)),
  secret,
);

function define(target: object, own: Readonly<Record<string, unknown>>): object {
  for (const [key, value] of Object.entries(own)) {
    Object.defineProperty(target, key, { value, enumerable: true });
  }
  return target;
}

const CALL = { attempt: 1, timeout: 600_000, page: 'p', sentAt: Date.now() };
const CALLS = [
  { ...CALL, kind: 'query', id: 1, name: 'counter.read' },
  { ...CALL, kind: 'mutation', id: 2, name: 'counter.add', input: 1 },
  { ...CALL, kind: 'subscription', id: 3, name: 'counter.watch' },
];

describe('what a handler throws stays in the worker', () => {
  it('lets no secret out of the worker in 1,000 thrown errors', async () => {
    let error: unknown;
    const fail = (): never => {
      throw error;
    };
    const world = createCounterWorld({
      'counter.read': fail,
      'counter.add': async () => fail(),
      // oxlint-disable-next-line require-yield -- it fails before it yields
      'counter.watch': async function* () {
        fail();
      },
    });
    let runs = 0;

    await fc.assert(
      fc.asyncProperty(thrown, async (value) => {
        error = value;
        const port = world.openPage('options').openRawPort();
        for (const call of CALLS) port.post(call);
        while (port.received.length < CALLS.length) await new Promise(setImmediate);
        port.disconnect();
        runs += 1;

        expect(JSON.stringify(port.received)).not.toContain(SECRET);
        for (const answer of port.received) {
          const incident = expect.stringMatching(/^[\da-f-]{36}$/);
          expect(answer).toEqual({
            kind: 'error',
            id: expect.any(Number),
            error: { code: 'INTERNAL', incident },
          });
        }
      }),
      { numRuns: 1_000 },
    );

    expect(runs).toBe(1_000);
    expect(world.logged.size).toBe(CALLS.length * 1_000);
    expect(world.disk.keys()).toEqual([]);
  });
});
