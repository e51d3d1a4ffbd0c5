import { getEventListeners } from 'node:events';

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { defineDocument } from '../../../src/messaging/state/documents.ts';
import { watchChanges } from '../../../src/messaging/state/watch.ts';
import { createNotesWorld } from '../../support/notes-world.ts';

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
      [1, 1],
      [0, 0],
    ]);
  });
});

it('a handler that changes a value from `watch` does not change it for others', async () => {
  const list = defineDocument({ key: 'list', schema: v.array(v.object({ size: v.number() })), initial: [] });
  const world = createNotesWorld({ documents: [list] });
  const follow = () =>
    world.watch(async function* ({ watch }) {
      for await (const items of watch(list)) {
        for (const item of items) item.size += 1;
        yield items.splice(0).map(({ size }) => size);
      }
    });
  const streams = [follow(), follow()];
  const next = () => Promise.all(streams.map((stream) => stream.next()));
  await next();
  const changed = next();

  await world.change((state) => state.write(list, [{ size: 1 }, { size: 2 }]));

  expect((await changed).map(({ value }) => value)).toEqual([
    [2, 3],
    [2, 3],
  ]);
});
