import { beforeEach, describe, expect, it, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { rings } from '../support/counter.ts';
import { rejectionOf } from '../support/rejection-of.ts';

describe('a mutation with an external effect', () => {
  beforeEach(() => {
    rings.count = 0;
  });

  it('is answered like any other', async () => {
    const world = createCounterWorld();

    expect(await world.openPage('options').client.mutate('bell.ring')).toBe(1);
    expect(world.disk.keys()).toEqual([]);
  });

  it('is never sent twice, and ends in doubt when the worker dies over it', async () => {
    const world = createCounterWorld();
    world.killWorkerAt('before-reply');

    const error = await rejectionOf(world.openPage('options').client.mutate('bell.ring'));

    expect(error).toMatchObject({ code: 'DISCONNECTED', delivery: 'unknown' });
    expect(rings.count).toBe(1);
  });

  it('is sent once when a listener of the connection makes it', async () => {
    const { client } = createCounterWorld().openPage('options');
    let rung: Promise<number> | undefined;
    client.connection.onChange(() => {
      if (client.connection.state().status === 'connecting') rung ??= client.mutate('bell.ring');
    });

    await client.query('counter.read');
    await rung;
    await client.query('counter.read');

    expect(rings.count).toBe(1);
  });

  it('has no effect when its turn came while there was no port', async () => {
    vi.useFakeTimers();
    const world = createCounterWorld();
    world.crash(true);
    const page = world.openPage('options');
    const first = rejectionOf(page.client.mutate('counter.add', 1, { timeout: 1_000 }));
    const second = rejectionOf(page.client.mutate('bell.ring', undefined, { timeout: 30_000 }));
    await vi.advanceTimersByTimeAsync(1_000);
    await first;

    page.orphan();
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();

    expect(await second).toMatchObject({ code: 'UNREACHABLE', delivery: 'not-sent' });
  });

  it('is sent after all when the worker died before its turn came', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    world.killWorkerAt('before-commit');

    const [added, rung] = await Promise.all([client.mutate('counter.add', 1), client.mutate('bell.ring')]);

    expect([added, rung]).toEqual([1, 1]);
    expect(world.starts()).toBe(2);
  });
});
