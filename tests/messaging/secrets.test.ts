import fc from 'fast-check';
import { expect, it } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { callOf } from '../support/raw-calls.ts';

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
const names = ['message', 'stack', 'cause', 'name', 'code', 'report', 'declared', 'then'];
const properties = fc.dictionary(fc.constantFrom(...names), secret);

const errors = fc.oneof(
  fc.constantFrom(Error, TypeError, DOMException).map((ErrorClass) => new ErrorClass(SECRET)),
  secret.map((cause) => new AggregateError([cause], SECRET)),
  fc.constant(0).map(() => Object.create(null) as object),
);

const thrown = fc.oneof(
  secret,
  fc.tuple(errors, properties).map(([error, own]) => {
    for (const [key, value] of Object.entries(own))
      Object.defineProperty(error, key, { value, enumerable: true });
    return error;
  }),
);

const CALLS = [callOf('counter.read'), callOf('counter.add', { id: 2 }), callOf('counter.watch', { id: 3 })];

it('no secret leaves the background in 1,000 thrown errors', async () => {
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

  await fc.assert(
    fc.asyncProperty(thrown, async (value) => {
      error = value;
      const port = world.openPage('options').openRawPort();
      for (const call of CALLS) port.post(call);
      while (port.received.length < CALLS.length) await new Promise(setImmediate);
      port.disconnect();

      expect(JSON.stringify(port.received)).not.toContain(SECRET);
      const failure = { code: 'INTERNAL', incident: expect.stringMatching(/^[\da-f-]{36}$/) };
      for (const answer of port.received) {
        expect(answer).toEqual({ kind: 'error', id: expect.any(Number), error: failure });
      }
    }),
    { numRuns: 1_000 },
  );

  expect(world.logged.size).toBe(CALLS.length * 1_000);
  expect(world.disk.keys()).toEqual([]);
});
