import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { createAbort } from '../../src/messaging/create-abort.ts';
import { createState } from '../../src/messaging/create-state.ts';
import { defineContract } from '../../src/messaging/define-contract.ts';
import { mutation } from '../../src/messaging/define-procedure.ts';
import type { Store } from '../../src/messaging/store.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { createMemoryDisk } from '../support/memory-disk.ts';
import { createMemoryWorld } from '../support/memory-world.ts';

const HOUR = 60 * 60 * 1_000;

/** A store that holds so many characters of JSON and refuses to hold more. */
function createFullStore(quota: number): Store {
  const { store } = createMemoryDisk().mount({ isOver: () => false, pass: () => {} });
  return {
    ...store,
    write: async (entries) => {
      const all = { ...(await store.readAll()), ...entries };
      if (JSON.stringify(all).length > quota) throw new Error('QUOTA_BYTES quota exceeded');
      await store.write(entries);
    },
  };
}

describe('the journal', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives way when old slots have filled the store', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = createFullStore(1_000);
    const take = (page: string): Promise<unknown> =>
      createState(store, () => {}).transact({ page, id: 1, name: 'text.take' }, createAbort(), async () =>
        'x'.repeat(400),
      );
    await take('first');
    await take('second');
    // The tidying after it comes while its slot is young.
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    vi.advanceTimersByTime(24 * HOUR);

    await take('third');

    expect(Object.keys(await store.readAll())).toEqual(['journal/third']);
  });

  it('stays small while one worker lives on', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const world = createCounterWorld();

    for (let page = 0; page < 20; page += 1) {
      vi.advanceTimersByTime(2 * HOUR);
      await world.openPage('options').client.mutate('counter.add', 1);
    }

    const slots = (): string[] => world.disk.keys().filter((key) => key.startsWith('journal/'));
    await vi.waitFor(() => expect(slots().length).toBeLessThan(3));
  });

  it('answers no procedure with the outcome of another', async () => {
    const contract = defineContract({
      'secret.take': mutation({ callers: ['options'], output: v.string() }),
      'counter.add': mutation({ callers: ['popup'], output: v.number() }),
    });
    const world = createMemoryWorld({
      contract,
      handlers: { 'secret.take': () => 'secret', 'counter.add': () => 1 },
    });
    const call = { kind: 'mutation', id: 1, attempt: 1, timeout: 1_000, page: 'p' };
    const [options, popup] = [world.openPage('options').openRawPort(), world.openPage('popup').openRawPort()];
    options.post({ ...call, name: 'secret.take' });
    await vi.waitFor(() => expect(options.received).toHaveLength(1));

    popup.post({ ...call, name: 'counter.add' });

    await vi.waitFor(() => expect(popup.received).toHaveLength(1));
    expect(popup.received[0]).toEqual({ kind: 'error', id: 1, error: { code: 'ABORTED' } });
  });
});
