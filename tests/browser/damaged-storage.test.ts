import { expect, it } from 'vitest';

import { damages } from '../support/damage-files.ts';
import { expectDamageShown } from '../support/expect-damage-shown.ts';
import { openDamaged } from '../support/open-damaged.ts';

it('shows salvaged preferences, defaults or what is wrong, over a damaged database', async () => {
  const openings = await openDamaged(damages);

  expect(openings).toHaveLength(damages.length);
  expectDamageShown(openings);
});
