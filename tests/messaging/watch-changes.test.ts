import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, it } from 'vitest';

import { watchChanges } from '../../src/messaging/server/state.ts';

/** Follows a number; the first look, at 0, is taken. */
async function followNumber() {
  const changes = new EventTarget();
  let number = 0;
  const looks = watchChanges(changes, ['risen'], new AbortController().signal, () => number);
  await looks.next();
  const rise = (): void => {
    number += 1;
    changes.dispatchEvent(new Event('risen'));
  };
  return { looks, rise };
}

it('takes several changes between two looks for one', async () => {
  const { looks, rise } = await followNumber();

  rise();
  rise();

  expect(await looks.next()).toMatchObject({ value: 2 });
  expect(await Promise.race([looks.next(), sleep(10)])).toBeUndefined();
});

it.each([0, 1, 2, 3, 4])(
  'never looks again at what it has seen when a change follows %d turns after one',
  async (turns) => {
    const { looks, rise } = await followNumber();
    const next = looks.next();

    rise();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    rise();
    const seen = [(await next).value];
    if (seen[0] === 1) seen.push((await looks.next()).value);

    expect(seen.at(-1)).toBe(2);
    expect(await Promise.race([looks.next(), sleep(10)])).toBeUndefined();
  },
);

it('ends when its signal is aborted, and leaves no listener, while it waits for a change', async () => {
  const changes = new EventTarget();
  const controller = new AbortController();
  const looks = watchChanges(changes, ['risen', 'fallen'], controller.signal, () => 7);
  await looks.next();
  const waiting = looks.next();
  await Promise.resolve();
  const during = [
    getEventListeners(changes, 'risen').length,
    getEventListeners(controller.signal, 'abort').length,
  ];
  controller.abort();

  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(during).toEqual([1, 1]);
  expect(getEventListeners(changes, 'fallen')).toEqual([]);
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});
