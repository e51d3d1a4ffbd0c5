import { expect, inject, it } from 'vitest';

import { damages } from '../support/damage-files.ts';
import type { Damage } from '../support/damage-files.ts';
import { expectDamageShown } from '../support/expect-damage-shown.ts';
import { openDamaged } from '../support/open-damaged.ts';

const TIMES = 200;

it('opens over 200 damaged databases', async () => {
  const list: Damage[] = Array.from(
    { length: TIMES },
    (_, index) => damages[index % damages.length] ?? 'flip',
  );

  const openings = await openDamaged(list);

  const salvaged = openings.filter(({ theme }) => theme === 'Dark').length;
  const told = openings.filter(({ notice }) => notice !== undefined).length;
  const slowest = Math.max(...openings.map(({ duration }) => duration));
  console.log(
    `measured: ${inject('browserName')}: ${JSON.stringify({ damaged: openings.length, salvaged, told, slowest })}`,
  );
  expect(openings).toHaveLength(TIMES);
  expectDamageShown(openings);
});
