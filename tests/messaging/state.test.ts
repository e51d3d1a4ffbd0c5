import { describe, expect, it } from 'vitest';

import { createAbort } from '../../src/messaging/create-abort.ts';
import { createState } from '../../src/messaging/create-state.ts';
import type { State } from '../../src/messaging/create-state.ts';
import type { Store } from '../../src/messaging/store.ts';
import { createMemoryDisk } from '../support/memory-disk.ts';

const mutation = { page: 'page', id: 1, name: 'note.add' };

function createTestState(parts: Partial<Store> = {}): { state: State; read: (key: string) => unknown } {
  const { mount, read } = createMemoryDisk();
  const { store } = mount({ isOver: () => false, pass: () => {} });
  return { state: createState({ ...store, ...parts }, () => {}), read };
}

describe('a transaction', () => {
  it('stores a value as it was when it was set, and hands out copies of it', async () => {
    const { state, read } = createTestState();

    await state.transact(mutation, createAbort(), async ({ get, set }) => {
      const notes = ['first'];
      set('notes', notes);
      notes.push('second');
      const staged = await get('notes');
      Object.assign(staged ?? {}, ['other']);
      return null;
    });

    expect(read('notes')).toEqual(['first']);
  });

  it('ends in NOT_READ when the lock cannot be had, with the reason as cause', async () => {
    const reason = new Error('No locks here');
    const { state, read } = createTestState({ lock: () => Promise.reject(reason) });

    const ended = state.transact(mutation, createAbort(), async () => 1);

    await expect(ended).rejects.toMatchObject({ report: { code: 'NOT_READ' }, cause: reason });
    expect(read('journal/page')).toBeUndefined();
  });
});
