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
