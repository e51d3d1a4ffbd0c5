import { describe, expect, it, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { rings } from '../support/counter.ts';

/** Lets everything go on that waits for `steps` promises in a row, one after the other. */
async function pass(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
}

/** How many promises in a row lie between a call and its answer when nothing goes wrong. */
async function stepsOf(call: () => Promise<unknown>): Promise<number> {
  let isAnswered = false;
  void call().then(() => (isAnswered = true));
  let steps = 0;
  for (; !isAnswered; steps += 1) await Promise.resolve();
  return steps;
}

describe('exactly once', () => {
  it('lets a mutation take effect once whichever of its steps the worker dies at', async () => {
    const steps = await stepsOf(() =>
      createCounterWorld().openPage('options').client.mutate('counter.add', 1),
    );

    for (let step = 0; step <= steps; step += 1) {
      const world = createCounterWorld();
      const answer = world.openPage('options').client.mutate('counter.add', 1);
      await pass(step);
      world.killWorker();

      expect([step, await answer, world.disk.read('counter')]).toEqual([step, 1, 1]);
    }
    expect(steps).toBeGreaterThan(20);
  });

  it('answers a query whichever of its steps the worker dies at', async () => {
    const steps = await stepsOf(() => createCounterWorld().openPage('popup').client.query('counter.read'));

    for (let step = 0; step <= steps; step += 1) {
      const world = createCounterWorld();
      const answer = world.openPage('popup').client.query('counter.read');
      await pass(step);
      world.killWorker();

      expect([step, await answer]).toEqual([step, 0]);
    }
  });

  it('lets an external effect happen at most once whichever of its steps the worker dies at', async () => {
    const steps = await stepsOf(() => createCounterWorld().openPage('options').client.mutate('bell.ring'));

    for (let step = 0; step <= steps; step += 1) {
      rings.count = 0;
      const world = createCounterWorld();
      const outcome = world
        .openPage('options')
        .client.mutate('bell.ring')
        .catch((error: unknown) => error);
      await pass(step);
      world.killWorker();

      expect([1, expect.objectContaining({ code: 'DISCONNECTED', delivery: 'unknown' })]).toContainEqual(
        await outcome,
      );
      expect(rings.count).toBeLessThanOrEqual(1);
    }
  });

  it('lets the mutations of two pages run one after the other', async () => {
    const world = createCounterWorld();
    const pages = [world.openPage('options'), world.openPage('options')];

    const counts = await Promise.all(pages.map(({ client }) => client.mutate('counter.add', 1)));

    expect(counts).toEqual([1, 2]);
    expect(world.disk.read('counter')).toBe(2);
  });

  it('refuses a mutation that comes after a later one of its page', async () => {
    const world = createCounterWorld();
    const port = world.openPage('options').openRawPort();
    const call = {
      kind: 'mutation',
      name: 'counter.add',
      input: 1,
      page: 'p',
      attempt: 1,
      timeout: 60_000,
      sentAt: Date.now(),
    };

    port.post({ ...call, id: 2 });
    await vi.waitFor(() => expect(port.received).toHaveLength(1));
    port.post({ ...call, id: 1 });
    await vi.waitFor(() => expect(port.received).toHaveLength(2));

    expect(port.received[1]).toEqual({ kind: 'error', id: 1, error: { code: 'ABORTED' } });
    expect(world.disk.read('counter')).toBe(1);
  });
});
