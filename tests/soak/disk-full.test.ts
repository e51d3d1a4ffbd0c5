import { inject, it } from 'vitest';

import { expectRefusals } from '../support/expect-refusals.ts';
import { fillUpDisk } from '../support/fill-up-disk.ts';

const CYCLES = 10;

// oxlint-disable-next-line vitest/expect-expect -- the expectations are those of the short form
it('says that a full disk takes nothing, keeps the old state, and goes on when there is space', async () => {
  const refusals = await fillUpDisk(CYCLES);

  console.log(
    `measured: ${inject('browserName')}: ${JSON.stringify({ cycles: CYCLES, refused: refusals.length })}`,
  );
  expectRefusals(refusals, CYCLES);
});
