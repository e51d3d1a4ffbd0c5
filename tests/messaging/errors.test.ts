import { inspect } from 'node:util';

import type { StandardSchemaV1 } from '@standard-schema/spec';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { CallError, ProcedureError } from '../../src/messaging/errors.ts';
import { proceduresFor } from '../../src/messaging/procedures.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { MOST, testCallers } from '../support/counter.ts';
import { createFeatureWorld } from '../support/feature-world.ts';
import { callOf } from '../support/raw-calls.ts';
import { rejectionOf } from '../support/promises.ts';

const { query } = proceduresFor(testCallers);

const SECRET = 'the-secret-that-must-stay';

/** A value that is or contains the secret. */
const secret = fc.constantFrom<unknown[]>(
  SECRET,
  `at ${SECRET}:1:2`,
  { deep: [SECRET] },
  { [SECRET]: 1 },
  new Error(SECRET, { cause: SECRET }),
  { toJSON: () => SECRET, toString: () => SECRET },
);

/** Members of a thrown error that may hold the secret. Some of them are members of the core's errors. */
const names = ['message', 'stack', 'cause', 'name', 'code', 'report', 'declared', 'then'];
const properties = fc.dictionary(fc.constantFrom(...names), secret);

/** An object whose members throw when they are read. */
const hostile = {
  get code(): never {
    throw new Error(SECRET);
  },
  get report(): never {
    throw new Error(SECRET);
  },
};

const errors = fc.oneof(
  fc.constantFrom(Error, TypeError, DOMException).map((ErrorClass) => new ErrorClass(SECRET)),
  secret.map((cause) => new AggregateError([cause], SECRET)),
  fc.constant(0).map(() => Object.create(null) as object),
);

const thrown = fc.oneof(
  secret,
  fc.constantFrom(undefined, hostile),
  fc.tuple(errors, properties).map(([error, own]) => {
    for (const [key, value] of Object.entries(own))
      Object.defineProperty(error, key, { value, enumerable: true });
    return error;
  }),
);

const CALLS = [callOf('counter.read'), callOf('counter.add', { id: 2 }), callOf('counter.watch', { id: 3 })];

describe('an error of a handler', () => {
  it('is replaced by an incident id, and logged under that id, for 1,000 thrown values with a secret', async () => {
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

        const answers = port.received as readonly { readonly error: { readonly incident: string } }[];
        for (const answer of answers) {
          const failure = { code: 'INTERNAL', incident: expect.stringMatching(/^[\da-f-]{36}$/) };
          expect(answer).toEqual({ kind: 'error', id: expect.any(Number), error: failure });
          expect(Object.is(world.logged.get(answer.error.incident), value)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );

    expect(world.disk.keys()).toEqual([]);
  });

  it('reaches the caller with its data if the procedure declares it', async () => {
    const { client } = createCounterWorld().openPage('options');

    const error = await rejectionOf(client.mutate('counter.add', MOST + 1));

    expect(error).toMatchObject({ code: 'DECLARED', delivery: 'handled' });
    expect(client.isDeclared('counter.add', 'tooHigh', error) && error.declared.data).toEqual({ most: MOST });
  });

  it.each([
    ['data that breaks the contract', 'late', 5, 'Expected string but received 5'],
    ['an inherited name', 'toString', 'by an hour', 'DECLARED'],
  ])('ends the call in INTERNAL if it is a declared error with %s', async (_what, name, data, logged) => {
    const day = query({
      callers: ['options'],
      output: v.null(),
      errors: { late: v.string() },
      handle: ({ fail }) => {
        throw fail(name as 'late', data as string);
      },
    });
    const world = createFeatureWorld({ 'day.read': day });

    const error = await rejectionOf(world.openPage('options').client.query('day.read'));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled', declared: undefined });
    expect(String(world.logged.get(error.incident ?? ''))).toContain(logged);
  });
});

it('a mutation ends in NOT_STORED when the state cannot be written, and nothing is changed', async () => {
  const world = createCounterWorld();
  const { client } = world.openPage('options');
  await client.mutate('counter.add', 1);
  const cause = new Error(`QUOTA_BYTES exceeded at ${SECRET}`);

  world.disk.failWrites(cause);
  const error = await rejectionOf(client.mutate('counter.add', 1));
  world.disk.failWrites(undefined);

  expect(error).toMatchObject({ code: 'NOT_STORED', delivery: 'handled' });
  expect(inspect(error, { showHidden: true, depth: Infinity })).not.toContain(SECRET);
  expect(world.logged.get(error.incident ?? '')).toMatchObject({ cause });
  expect(await client.mutate('counter.add', 1)).toBe(2);
});

describe('a CallError', () => {
  it('has a name, and says which call failed, why and where', () => {
    const issues = [
      { path: 'title', message: 'is too long' },
      { path: '', message: 'has no id' },
    ];

    const error = new CallError('note.add', { code: 'INVALID_INPUT', issues, incident: '7' }, 'handled');

    expect(String(error)).toBe('CallError: note.add · INVALID_INPUT · title: is too long · has no id · 7');
  });

  it('has the first issues of the input, shortened, for each form of path that a schema may use', async () => {
    const issues = [
      { message: 'm'.repeat(300), path: ['rows', 0, { key: 'name' }] },
      { message: 'no path' },
      { message: 'long', path: ['p'.repeat(300)] },
    ];
    const all = [...issues, ...Array.from({ length: 5_000 }, () => ({ message: 'more' }))];
    const input: StandardSchemaV1<number> = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: all }) },
    };
    const row = query({ callers: ['options'], input, output: v.null(), handle: () => null });
    const world = createFeatureWorld({ 'row.read': row });

    const error = await rejectionOf(world.openPage('options').client.query('row.read', 1));

    expect(error.issues.slice(0, 3)).toEqual([
      { path: 'rows.0.name', message: 'm'.repeat(200) },
      { path: '', message: 'no path' },
      { path: 'p'.repeat(200), message: 'long' },
    ]);
    expect(JSON.stringify(error.issues).length).toBeLessThan(5_000);
  });
});

it('a call is answered although the log throws', async () => {
  const fail = (): never => {
    throw new Error('no');
  };
  const world = createCounterWorld({ 'counter.read': fail });
  const { client } = world.openPage('popup');
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  (world.logged as Map<string, unknown>).set = fail;

  const { code, incident } = await rejectionOf(client.query('counter.read', undefined, { timeout: 1_000 }));

  expect(code).toBe('INTERNAL');
  expect(printed).toHaveBeenCalledExactlyOnceWith(
    `Incident ${incident} could not be logged:`,
    new Error('no'),
  );
});

it('a call ends in INTERNAL if its handler throws a report that cannot be sent', async () => {
  const issues = [{ path: 'word', message: 'is unknown', check: () => false }];
  const world = createCounterWorld(
    {
      // oxlint-disable-next-line require-yield -- it fails before it yields
      'counter.watch': async function* () {
        throw new ProcedureError({ code: 'INVALID_INPUT', issues });
      },
    },
    { wire: 'clone' },
  );

  const error = await rejectionOf(world.openPage('popup').client.subscribe('counter.watch').next());

  expect(error.code).toBe('INTERNAL');
  expect(String(world.logged.get(error.incident ?? ''))).toContain('issues.0.check: function is not JSON');
});
