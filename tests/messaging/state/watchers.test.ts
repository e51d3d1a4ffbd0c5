import * as v from 'valibot';
import { expect, it, vi } from 'vitest';

import { defineCollection } from '../../../src/messaging/state/documents.ts';
import { damageOf } from '../../../src/messaging/state/quarantine.ts';
import type { StateWatcher } from '../../../src/messaging/state/state.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';
import { doubt, recordStore } from '../../support/store-faults.ts';

const watchTotal = (state: StateWatcher) => state.watch(total);

it('a watcher can read after the read of another one has failed', async () => {
  const { world, watch } = createNotesWorld({ stored: { total: { version: 1, data: 7 } } });
  world.disk.failReads(new Error('The disk is gone'));

  const error = await rejectionOf(watch(watchTotal).next());
  world.disk.failReads(undefined);

  expect([error.code, (await watch(watchTotal).next()).value]).toEqual(['NOT_READ', 7]);
});

it('a watcher gets a change whose write was reported as failed and could not be checked', async () => {
  const { patchStore, recover } = doubt({ isMeant: (entries) => 'total' in entries });
  const { watch, change } = createNotesWorld({ patchStore });
  const watched = watch(watchTotal);
  await watched.next();
  const next = watched.next();

  const { code } = await rejectionOf(change((state) => state.write(total, 7)));
  recover();

  expect([code, (await next).value]).toEqual(['IN_DOUBT', 7]);
});

it('a watcher gets nothing for a change that was not stored', async () => {
  const { world, watch, change } = createNotesWorld();
  const watched = watch(watchTotal);
  const first = (await watched.next()).value;
  const next = watched.next();
  world.disk.failWrites(new Error('The disk is full'));

  const { code } = await rejectionOf(change((state) => state.write(total, 1)));
  world.disk.failWrites(undefined);
  await change((state) => state.write(total, 2));

  expect([first, code, (await next).value]).toEqual([0, 'NOT_STORED', 2]);
});

it('a watcher refuses a collection that is not in the list', async () => {
  const { watch } = createNotesWorld();
  const unlisted = defineCollection({ key: 'unlisted', schema: v.string() });

  const watched = watch((state) => {
    expect(() => state.watch(unlisted)).toThrow('"unlisted" must be among the `documents` of a feature.');
    return state.watch(total);
  });

  expect((await watched.next()).value).toBe(0);
});

it.each<[of: string, watch: (state: StateWatcher) => AsyncIterable<unknown>, expected: unknown]>([
  ['one document', watchTotal, 1],
  [
    'the condition',
    (state) => damageOf(state).watch(),
    expect.objectContaining({ isEmpty: false, documents: ['total'] }),
  ],
])('watchers of %s share one read after a change', async (_of, follow, expected) => {
  const { patchStore, reads } = recordStore();
  const { watch, change } = createNotesWorld({ patchStore });
  const watching = Array.from({ length: 5 }, () => watch(follow));
  await Promise.all(watching.map((watched) => watched.next()));
  const next = watching.map((watched) => watched.next());
  reads.length = 0;

  await change((state) => {
    state.write(total, 1);
    state.set(notes, 'a', { text: 'text', done: false });
  });
  const seen = await Promise.all(next);

  expect(seen.map(({ value }) => value)).toEqual(watching.map(() => expected));
  // One read for the data that is replaced, and one for all watchers.
  expect(reads.filter((keys) => keys.includes('total'))).toHaveLength(2);
});

it('a subscription can watch a collection again and again, because a watcher leaves no listeners', async () => {
  const warn = vi.spyOn(process, 'emitWarning');
  const { watch } = createNotesWorld();

  const watched = watch(async function* (state) {
    for (let time = 0; time < 20; time += 1) {
      const records = state.watch(notes);
      await records.next();
      await records.return();
    }
    yield 'done';
  });

  expect((await watched.next()).value).toBe('done');
  // Node warns of more than ten listeners.
  expect(warn).not.toHaveBeenCalled();
});
