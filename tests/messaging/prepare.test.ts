import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';

import type { Transaction } from '../../src/messaging/server/state.ts';
import { counterContract, counterHandlers } from '../support/counter.ts';
import { createDeferred } from '../support/create-deferred.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import type { MemoryWorld } from '../support/memory-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

describe('what a worker prepares', () => {
  it('is done before its first mutation, which waits for it', async () => {
    const gate = createDeferred();
    const world = createWorld(async (state) => {
      await gate.promise;
      state.set('counter', 10);
    });

    const added = world.openPage('options').client.mutate('counter.add', 1);
    // Long enough for the mutation, did it not wait.
    await sleep(20);
    gate.resolve();

    expect(await added).toBe(11);
  });

  it('reaches those who watch', async () => {
    const gate = createDeferred();
    const world = createWorld(async (state) => {
      await gate.promise;
      state.set('counter', 10);
    });
    const watched = world.openPage('popup').client.subscribe('counter.watch');
    const before = await watched.next();

    gate.resolve();

    expect([before.value, (await watched.next()).value]).toEqual([0, 10]);
  });

  it('is one write, or none when it fails, which is logged and stops no later call', async () => {
    const world = createWorld(async (state) => {
      state.set('counter', 10);
      throw new Error('half way');
    });

    const answer = await world.openPage('options').client.mutate('counter.add', 1);

    expect(answer).toBe(1);
    expect([...world.logged.values()].map(String)).toEqual(['Error: half way']);
  });
});

describe('a store that cannot be read', () => {
  it('ends queries, mutations and subscriptions in NOT_READ, and the cause goes to the log', async () => {
    const world = createWorld(async () => {});
    const { client } = world.openPage('options');
    await client.query('counter.read');
    world.disk.failReads(new Error('secret'));

    const errors = [
      await rejectionOf(client.query('counter.read')),
      await rejectionOf(client.mutate('counter.add', 1)),
      await rejectionOf(client.subscribe('counter.watch').next()),
    ];

    expect(errors.map(({ code }) => code)).toEqual(['NOT_READ', 'NOT_READ', 'NOT_READ']);
    expect(JSON.stringify(errors)).not.toContain('secret');
    for (const { incident = '' } of errors) {
      expect(world.logged.get(incident)).toMatchObject({ cause: new Error('secret') });
    }
  });

  it('is read again by the next call', async () => {
    const world = createWorld(async () => {});
    const { client } = world.openPage('options');
    world.disk.failReads(new Error('for now'));
    await rejectionOf(client.mutate('counter.add', 1));

    world.disk.failReads(undefined);

    await vi.waitFor(async () => expect(await client.mutate('counter.add', 1)).toBe(1));
  });
});

function createWorld(prepare: (state: Transaction) => Promise<void>): MemoryWorld<typeof counterContract> {
  return createMemoryWorld({ contract: counterContract, handlers: counterHandlers, prepare });
}
