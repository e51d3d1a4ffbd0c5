import { inspect } from 'node:util';

import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { CallError, type ErrorReport, ProcedureError } from '../../src/messaging/wire/errors.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { MOST, testCallers } from '../support/counter.ts';
import { createFeatureWorld } from '../support/feature-world.ts';
import { ask, callOf } from '../support/raw-calls.ts';
import { rejectionOf } from '../support/promises.ts';

const { query } = proceduresFor(testCallers);

const SECRET = 'the-secret-that-must-stay';

/** An object whose members throw when they are read. */
const hostile = {
  get code(): never {
    throw new Error(SECRET);
  },
  get report(): never {
    throw new Error(SECRET);
  },
};

/** Values that a handler may throw. They have the secret wherever they can. */
const thrown: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  'a text': `at ${SECRET}:1:2`,
  'an object': { deep: [SECRET], [SECRET]: 1, toJSON: () => SECRET, toString: () => SECRET },
  'an object without a prototype': Object.assign(Object.create(null) as object, { message: SECRET }),
  'an object whose members cannot be read': hostile,
  'an error with a cause': new Error(SECRET, { cause: new Error(SECRET) }),
  'an error of the browser': new DOMException(SECRET),
  'several errors': new AggregateError([SECRET], SECRET),
  'an error with the members of an error of the core': Object.assign(new TypeError(SECRET), {
    name: SECRET,
    code: SECRET,
    report: { code: 'DECLARED', declared: { name: SECRET, data: SECRET } },
    declared: SECRET,
    then: SECRET,
  }),
};

const CALLS = [callOf('counter.read'), callOf('counter.add', { id: 2 }), callOf('counter.watch', { id: 3 })];

describe('an error of a handler', () => {
  it.each(Object.entries(thrown))('is replaced by an incident id, and logged: %s', async (_what, error) => {
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

    const answers = await ask(world.openPage('options').openRawPort(), ...CALLS);

    for (const answer of answers as readonly { readonly error: { readonly incident: string } }[]) {
      const failure = { code: 'INTERNAL', incident: expect.stringMatching(/^[\da-f-]{36}$/) };
      expect(answer).toEqual({ kind: 'error', id: expect.any(Number), error: failure });
      expect(Object.is(world.logged.get(answer.error.incident), error)).toBe(true);
    }
    expect(answers).toHaveLength(CALLS.length);
    expect(world.disk.dataOf('counter')).toBeUndefined();
  });

  it('reaches the caller with its data if the procedure declares it', async () => {
    const { client } = createCounterWorld().openPage('options');

    const error = await rejectionOf(client.mutate('counter.add', MOST + 1));

    expect(error).toMatchObject({ code: 'DECLARED', delivery: 'handled' });
    expect(client.isDeclared('counter.add', 'tooHigh', error) && error.declared.data).toEqual({ most: MOST });
  });

  it.each<[what: string, report: object, logged: string]>([
    [
      'a declared error with data that breaks the contract',
      { code: 'DECLARED', declared: { name: 'late', data: 5 } },
      'Expected string but received 5',
    ],
    [
      'a declared error with an inherited name',
      { code: 'DECLARED', declared: { name: 'toString', data: 'by an hour' } },
      'DECLARED',
    ],
    [
      'an error that cannot be sent',
      { code: 'INVALID_INPUT', issues: [{ path: 'word', message: 'is unknown', check: () => false }] },
      'issues.0.check: function is not JSON',
    ],
  ])('ends the call in INTERNAL if it is %s', async (_what, report, logged) => {
    const day = query({
      callers: ['options'],
      output: v.null(),
      errors: { late: v.string() },
      handle: () => {
        throw new ProcedureError(report as ErrorReport);
      },
    });
    const world = createFeatureWorld({ 'day.read': day }, [], { wire: 'clone' });

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

  it('has the first issues of the input, shortened to whole characters, for each form of path that a schema may use', async () => {
    const issues = [
      { message: 'm'.repeat(300), path: ['rows', 0, { key: 'name' }] },
      { message: `x${'😀'.repeat(150)}` },
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
      // Half a character could not be sent.
      { path: '', message: `x${'😀'.repeat(99)}\ufffd` },
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
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  (world.logged as Map<string, unknown>).set = fail;

  const { code, incident } = await rejectionOf(client.query('counter.read', undefined, { timeout: 1_000 }));

  expect(code).toBe('INTERNAL');
  expect(printed).toHaveBeenCalledExactlyOnceWith(
    `Incident ${incident} could not be logged:`,
    new Error('no'),
  );
});
