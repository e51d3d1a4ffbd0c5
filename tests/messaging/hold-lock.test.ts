import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { holdLock } from '../../src/messaging/hold-lock.ts';
import { createDeferred } from '../support/create-deferred.ts';
import { createMemoryDisk } from '../support/memory-disk.ts';
import type { MemoryDisk } from '../support/memory-disk.ts';

function mount({ mount: mountDisk }: MemoryDisk): ReturnType<typeof holdLock> {
  const { store } = mountDisk({ isOver: () => false, pass: () => {} });
  return holdLock(store);
}

describe('holdLock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs work one after the other, also after work that failed', async () => {
    const underLock = mount(createMemoryDisk());
    const steps: string[] = [];
    const failing = underLock(async (held) => {
      steps.push('first begins');
      await held.read('a');
      steps.push('first fails');
      throw new Error('failed');
    });
    const second = underLock(async () => steps.push('second'));

    await expect(failing).rejects.toThrow('failed');
    await second;
    expect(steps).toEqual(['first begins', 'first fails', 'second']);
  });

  it('reads what was written under it, as a copy', async () => {
    const underLock = mount(createMemoryDisk());
    const value = { list: [1] };

    await underLock(async (held) => held.write({ value }));
    value.list.push(2);
    const first = await underLock((held) => held.read('value'));
    Object.assign(first ?? {}, { list: [] });

    expect(await underLock((held) => held.read('value'))).toEqual({ list: [1] });
  });

  it('knows what it has written, and not what became of that value on the way to the disk', async () => {
    const disk = createMemoryDisk();
    const underLock = mount(disk);
    const value = { list: [1] };

    const writing = underLock((held) => held.write({ value }));
    await underLock(async () => {
      value.list.push(2);
    });
    await writing;
    const known = await underLock((held) => held.read('value'));

    expect([known, disk.read('value')]).toEqual([{ list: [1] }, { list: [1] }]);
  });

  it('does not take what was read before a write for what was written', async () => {
    const disk = createMemoryDisk();
    const late = createDeferred();
    const { store } = disk.mount({ isOver: () => false, pass: () => {} });
    const underLock = holdLock({
      ...store,
      read: async (key) => {
        const value = await store.read(key);
        await late.promise;
        return value;
      },
    });

    const reading = underLock(async (held) => ({ value: held.read('a') }));
    await underLock((held) => held.write({ a: 1 }));
    late.resolve();
    const { value } = await reading;

    expect([await value, await underLock((held) => held.read('a'))]).toEqual([1, 1]);
  });

  it('is taken by one at a time, also when one dies who waits for it', async () => {
    const disk = createMemoryDisk();
    const [first, second, third] = [1, 2, 3].map(() => disk.mount({ isOver: () => false, pass: () => {} }));
    const steps: string[] = [];
    const goOn = createDeferred();
    const holding = first?.store.lock(async () => {
      await goOn.promise;
      steps.push('first is done');
    });
    void second?.store.lock(async () => {});
    const waiting = third?.store.lock(async () => steps.push('third begins'));
    await vi.advanceTimersByTimeAsync(1);

    second?.unmount();
    await vi.advanceTimersByTimeAsync(1);
    goOn.resolve();
    await Promise.all([holding, waiting]);

    expect(steps).toEqual(['first is done', 'third begins']);
  });

  it('knows nothing of a write that failed', async () => {
    const disk = createMemoryDisk();
    const underLock = mount(disk);
    disk.failWrites(new Error('full'));

    const failing = underLock((held) => held.write({ a: 1 }));

    await expect(failing).rejects.toThrow('full');
    expect(await underLock((held) => held.read('a'))).toBeUndefined();
  });

  it('lets another worker in 100 ms after the last work, and then reads what that one wrote', async () => {
    const disk = createMemoryDisk();
    const [one, other] = [mount(disk), mount(disk)];
    await one((held) => held.write({ a: 1 }));
    const onWritten = vi.fn<() => void>();
    const written = other((held) => held.write({ a: 2 })).then(onWritten);

    await vi.advanceTimersByTimeAsync(99);
    const before = onWritten.mock.calls.length;
    await vi.advanceTimersByTimeAsync(1);
    await written;
    const read = one((held) => held.read('a'));
    await vi.advanceTimersByTimeAsync(100);

    expect(before).toBe(0);
    expect(await read).toBe(2);
  });
});
