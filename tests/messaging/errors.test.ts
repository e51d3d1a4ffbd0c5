import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { defineContract, query } from '../../src/messaging/contract.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { MOST } from '../support/counter.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

const SECRET = 'the-secret-that-must-stay';

class LeakyError extends Error {
  override name = SECRET;
  readonly extra = { deep: [SECRET] };
}

const revocable = Proxy.revocable({}, {});
revocable.revoke();

/** Everything that can be read from an error, through whatever property. */
function everythingIn(error: object): string {
  const parts = Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name));
  return JSON.stringify(parts) + String(error);
}

describe('what a handler throws', () => {
  it.each<[string, unknown]>([
    ['an error with the secret everywhere', new LeakyError(SECRET, { cause: new Error(SECRET) })],
    ['an object like an error of the core', { code: 'DECLARED', report: { code: SECRET } }],
    ['undefined', undefined],
    ['an object that throws when it is read', revocable.proxy],
  ])('is hidden behind an incident id and logged under that id: %s', async (_what, thrown) => {
    const world = createCounterWorld({
      'counter.read': () => {
        throw thrown;
      },
    });

    const error = await rejectionOf(world.openPage('popup').client.query('counter.read'));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
    expect(everythingIn(error)).not.toContain(SECRET);
    expect(Object.is(world.logged.get(error.incident ?? ''), thrown)).toBe(true);
  });

  it('reaches the caller with its data if the procedure declares it', async () => {
    const { client } = createCounterWorld().openPage('options');

    const error = await rejectionOf(client.mutate('counter.add', MOST + 1));

    expect(error).toMatchObject({ code: 'DECLARED', delivery: 'handled' });
    expect(client.isDeclared('counter.add', 'tooHigh', error) && error.declared.data).toEqual({ most: MOST });
  });

  it.each([
    ['data that breaks the contract', 'late', 5],
    ['an inherited name', 'toString', 'by an hour'],
  ])('is a failure of the handler if it is a declared error with %s', async (_what, name, data) => {
    const day = query({ callers: ['options'], output: v.null(), errors: { late: v.string() } });
    const world = createMemoryWorld({
      contract: defineContract({ 'day.read': day }),
      handlers: {
        'day.read': ({ fail }) => {
          throw fail(name as 'late', data as string);
        },
      },
    });

    const error = await rejectionOf(world.openPage('options').client.query('day.read'));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled', declared: undefined });
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
  expect(everythingIn(error)).not.toContain(SECRET);
  expect(world.logged.get(error.incident ?? '')).toMatchObject({ cause });
  expect(await client.mutate('counter.add', 1)).toBe(2);
});

describe('a CallError', () => {
  it('names itself, and its message says in one line which call ended in what', async () => {
    const { client } = createCounterWorld().openPage('options');

    const error = await rejectionOf(client.mutate('counter.add', 0));

    expect(error.name).toBe('CallError');
    expect(error.message).toMatch(/^counter\.add · INVALID_INPUT · \S[^·]*[^· ]$/);
  });

  it('has the first issues of the input, whatever form the schema gives their paths', async () => {
    const issues = [
      { message: 'm'.repeat(300), path: ['rows', 0, { key: 'name' }] },
      { message: 'no path' },
      { message: 'long', path: ['p'.repeat(300)] },
    ];
    const all = [...issues, ...Array.from({ length: 5_000 }, () => ({ message: 'more' }))];
    const input: StandardSchemaV1<number> = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: all }) },
    };
    const world = createMemoryWorld({
      contract: defineContract({ 'row.read': query({ callers: ['options'], input, output: v.null() }) }),
      handlers: { 'row.read': () => null },
    });

    const error = await rejectionOf(world.openPage('options').client.query('row.read', 1));

    expect(error.issues.slice(0, 3)).toEqual([
      { path: 'rows.0.name', message: 'm'.repeat(200) },
      { path: '', message: 'no path' },
      { path: 'p'.repeat(200), message: 'long' },
    ]);
    expect(JSON.stringify(error.issues).length).toBeLessThan(5_000);
  });
});
