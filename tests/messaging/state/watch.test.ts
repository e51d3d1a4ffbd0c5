import { getEventListeners } from 'node:events';

import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { defineCollection } from '../../../src/messaging/define/documents.ts';
import type { StateWatcher } from '../../../src/messaging/define/handler-state.ts';
import { watchChanges } from '../../../src/messaging/state/watch.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';

describe('watchChanges', () => {
  /** Follows a number that starts at 0. The first value is already taken. */
  async function followNumber() {
    const changes = new EventTarget();
    const controller = new AbortController();
    let number = 0;
    const looks = watchChanges(changes, ['risen', 'fallen'], controller.signal, () => number);
    await looks.next();
    const rise = (): void => {
      number += 1;
      changes.dispatchEvent(new Event('risen'));
    };
    const pause = new Promise<undefined>((resolve) => setTimeout(resolve, 10));
    return { looks, rise, pause, changes, controller };
  }

  it('yields once for several changes between two requests', async () => {
    const { looks, rise, pause } = await followNumber();

    rise();
    rise();

    expect(await looks.next()).toMatchObject({ value: 2 });
    expect(await Promise.race([looks.next(), pause])).toBeUndefined();
  });

  it.each([0, 1, 2, 3, 4])(
    'does not yield the same value twice if a change follows another after %d turns',
    async (turns) => {
      const { looks, rise, pause } = await followNumber();
      const look = looks.next();

      rise();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      rise();
      const seen = [(await look).value];
      if (seen[0] === 1) seen.push((await looks.next()).value);

      expect(seen.at(-1)).toBe(2);
      expect(await Promise.race([looks.next(), pause])).toBeUndefined();
    },
  );

  it('ends when its signal is aborted while it waits for a change, and leaves no listener', async () => {
    const { looks, changes, controller } = await followNumber();
    const listeners = (): number[] => [
      getEventListeners(changes, 'fallen').length,
      getEventListeners(controller.signal, 'abort').length,
    ];
    const waiting = looks.next();
    await Promise.resolve();
    const during = listeners();

    controller.abort();

    expect(await waiting).toEqual({ done: true, value: undefined });
    expect([during, listeners()]).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });
});

const watchTotal = (state: StateWatcher) => state.watch(total);

it('a watcher can read after the read of another one has failed', async () => {
  const { world, watch } = createNotesWorld({ stored: { total: { version: 1, data: 7 } } });
  world.disk.failReads(new Error('The disk is gone'));

  const error = await rejectionOf(watch(watchTotal).next());
  world.disk.failReads(undefined);

  expect([error.code, (await watch(watchTotal).next()).value]).toEqual(['NOT_READ', 7]);
});

it('a watcher never gets a change that was not stored', async () => {
  const { world, watch, change } = createNotesWorld();
  const watched = watch(watchTotal);
  const seen = [(await watched.next()).value];
  world.disk.failWrites(new Error('The disk is full'));

  const { code } = await rejectionOf(change((state) => state.write(total, 1)));
  world.disk.failWrites(undefined);
  await change((state) => state.write(total, 2));
  seen.push((await watched.next()).value);

  expect([code, seen]).toEqual(['NOT_STORED', [0, 2]]);
});

it('a subscription follows two definitions, and gets both after a change of one or of both', async () => {
  const { watch, change } = createNotesWorld();
  const note = { text: 'text', done: false };
  const watched = watch((state) => state.watch(total, notes));
  const seen = [(await watched.next()).value];

  await change((state) => {
    state.write(total, 1);
    state.set(notes, 'a', note);
  });
  seen.push((await watched.next()).value);
  await change((state) => state.write(total, 2));
  seen.push((await watched.next()).value);
  await change((state) => state.remove(notes, 'a'));
  seen.push((await watched.next()).value);

  const changed = { isWhole: false, items: [], removed: [] };
  expect(seen).toEqual([
    [0, { isWhole: true, items: [], removed: [] }],
    [1, { ...changed, items: [{ id: 'a', data: note }] }],
    [2, changed],
    [2, { ...changed, removed: ['a'] }],
  ]);
});

it('a watcher refuses a collection that is not in the list, also as the second', async () => {
  const { watch } = createNotesWorld();
  const unlisted = defineCollection({ key: 'unlisted', schema: v.string() });
  const message = '"unlisted" must be among the `documents` of a feature.';

  const watched = watch((state) => {
    expect(() => state.watch(unlisted)).toThrow(message);
    expect(() => state.watch(total, unlisted)).toThrow(message);
    return state.watch(total);
  });

  expect((await watched.next()).value).toBe(0);
});

// https://github.com/enisdenjo/graphql-ws/issues/653
it('a watcher that waits for a change ends at once when it is returned', async () => {
  const { watch } = createNotesWorld();
  const isOver = { done: true, value: undefined };
  const seen: unknown[] = [];

  const watched = watch(async function* (state) {
    const changes = new EventTarget();
    const { signal } = new AbortController();
    for (const values of [
      state.watch(total),
      state.watch(total, notes),
      watchChanges(changes, ['change'], signal, () => 1),
    ]) {
      await values.next();
      const next = values.next();
      seen.push(await values.return(), await next);
    }
    yield 'done';
  });

  expect((await watched.next()).value).toBe('done');
  expect(seen).toEqual(Array.from({ length: 6 }, () => isOver));
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
