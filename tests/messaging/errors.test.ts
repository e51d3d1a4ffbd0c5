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

/** Everything that can be read from an error, through whatever property. */
function everythingIn(error: object): string {
  const parts = Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name));
  return JSON.stringify(parts) + String(error);
}

const thrown: readonly [string, () => unknown][] = [
  ['an error with the secret everywhere', () => new LeakyError(SECRET, { cause: new Error(SECRET) })],
  ['a string', () => SECRET],
  ['an object', () => ({ code: 'DECLARED', report: { code: SECRET } })],
  ['nothing', () => undefined],
  ['a rejected promise of an aggregate', () => new AggregateError([new Error(SECRET)], SECRET)],
];

describe('errors are a closed set', () => {
  it.each(thrown)('hides %s behind an incident id and logs it under that id', async (_what, create) => {
    const error = create();
    const world = createCounterWorld({
      'counter.read': () => {
        throw error;
      },
    });

    const seen = await rejectionOf(world.openPage('popup').client.query('counter.read'));

    expect(seen).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
    expect(everythingIn(seen)).not.toContain(SECRET);
    expect(world.logged.get(seen.incident ?? '')).toBe(error);
  });

  it('answers a call whose handler throws an object that throws when it is read', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const world = createCounterWorld({
      'counter.read': () => {
        throw proxy as Error;
      },
    });

    const error = await rejectionOf(world.openPage('popup').client.query('counter.read'));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
    expect(world.logged.size).toBe(1);
  });

  it('lets no secret through the wire itself, for any kind of call', async () => {
    const fail = (): never => {
      throw new LeakyError(SECRET);
    };
    const world = createCounterWorld({
      'counter.read': fail,
      'counter.add': async () => fail(),
      // oxlint-disable-next-line require-yield -- it fails before it yields
      'counter.watch': async function* () {
        fail();
      },
    });
    const port = world.openPage('options').openRawPort();

    port.post({ kind: 'query', id: 1, name: 'counter.read', attempt: 1, timeout: 60_000 });
    port.post({
      kind: 'mutation',
      id: 2,
      name: 'counter.add',
      input: 1,
      page: 'p',
      attempt: 1,
      timeout: 60_000,
      sentAt: Date.now(),
    });
    port.post({ kind: 'subscription', id: 3, name: 'counter.watch', attempt: 1 });
    await expect.poll(() => port.received.length).toBe(3);

    expect(JSON.stringify(port.received)).not.toContain(SECRET);
    expect(port.received).toEqual(
      expect.arrayContaining([1, 2, 3].map((id) => expect.objectContaining({ id, kind: 'error' }))),
    );
  });

  it('carries a declared error with its data', async () => {
    const { client } = createCounterWorld().openPage('options');

    const error = await rejectionOf(client.mutate('counter.add', MOST + 1));

    expect(error).toMatchObject({ code: 'DECLARED', delivery: 'handled' });
    expect(client.isDeclared('counter.add', 'tooHigh', error) && error.declared.data).toEqual({
      most: MOST,
    });
  });

  it('treats a declared error whose data breaks the contract as a failure of the handler', async () => {
    const world = createCounterWorld({
      'counter.add': ({ fail }) => {
        throw fail('tooHigh', { most: SECRET as unknown as number });
      },
    });

    const error = await rejectionOf(world.openPage('options').client.mutate('counter.add', 1));

    expect(error).toMatchObject({ code: 'INTERNAL', declared: undefined });
    expect(everythingIn(error)).not.toContain(SECRET);
  });

  it('answers although the schema of a declared error throws', async () => {
    const Broken = v.pipe(
      v.string(),
      v.check(() => {
        throw new Error(SECRET);
      }),
    );
    const contract = defineContract({
      'day.read': query({ callers: ['options'], output: v.null(), errors: { late: Broken } }),
    });
    const world = createMemoryWorld({
      contract,
      handlers: {
        'day.read': ({ fail }) => {
          throw fail('late', 'by an hour');
        },
      },
    });

    const error = await rejectionOf(world.openPage('options').client.query('day.read'));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
  });

  it('says that nothing was stored when the store refuses, and keeps the old state', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    await client.mutate('counter.add', 1);
    world.disk.failWrites(new Error(`QUOTA_BYTES exceeded at ${SECRET}`));

    const error = await rejectionOf(client.mutate('counter.add', 1));
    world.disk.failWrites(undefined);

    expect(error).toMatchObject({ code: 'NOT_STORED', delivery: 'handled' });
    expect(everythingIn(error)).not.toContain(SECRET);
    expect(await client.query('counter.read')).toBe(1);
    expect(await client.mutate('counter.add', 1)).toBe(2);
  });

  it('refuses state that is not JSON and writes nothing', async () => {
    const world = createCounterWorld({
      'counter.add': ({ state }) => {
        state.set('counter', Number.NaN);
        return 1;
      },
    });

    const error = await rejectionOf(world.openPage('options').client.mutate('counter.add', 1));

    expect(error.code).toBe('INTERNAL');
    expect(world.disk.keys()).toEqual([]);
  });
});

describe('a CallError', () => {
  it('names itself, and says in one line which call ended in what', async () => {
    const { client } = createCounterWorld().openPage('options');

    const error = await rejectionOf(client.mutate('counter.add', 0));

    expect(error.name).toBe('CallError');
    expect(error.message).toMatch(/^counter\.add · INVALID_INPUT · \S[^·]*[^· ]$/);
  });

  it('says where in the input each issue is, whatever form the schema gives its path', async () => {
    const issues = [
      { message: 'm'.repeat(300), path: ['rows', 0, { key: 'name' }] },
      { message: 'no path' },
      { message: 'long', path: ['p'.repeat(300)] },
    ];
    const input: StandardSchemaV1<number> = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) },
    };
    const world = createMemoryWorld({
      contract: defineContract({ 'row.read': query({ callers: ['options'], input, output: v.null() }) }),
      handlers: { 'row.read': () => null },
    });

    const error = await rejectionOf(world.openPage('options').client.query('row.read', 1));

    expect(error.issues).toEqual([
      { path: 'rows.0.name', message: 'm'.repeat(200) },
      { path: '', message: 'no path' },
      { path: 'p'.repeat(200), message: 'long' },
    ]);
  });

  it('says that no input is expected', async () => {
    const { query: ask } = createCounterWorld().openPage('options').client;

    const error = await rejectionOf(ask('counter.read', 1 as unknown as undefined));

    expect(error).toMatchObject({
      code: 'INVALID_INPUT',
      issues: [{ path: '', message: 'No input is expected.' }],
    });
  });
});
