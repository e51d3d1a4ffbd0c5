import { it } from 'vitest';

import { expectRefusals } from '../support/expect-refusals.ts';
import { canMountDisk, fillUpDisk } from '../support/fill-up-disk.ts';

// Where no disk can be mounted, `quota.test.ts` shows the same without one.
// oxlint-disable-next-line vitest/expect-expect -- the expectations are those of the long form
it.runIf(await canMountDisk())(
  'says that a full disk takes nothing, keeps the old state, and goes on when there is space',
  { timeout: 120_000 },
  async () => {
    expectRefusals(await fillUpDisk(1), 1);
  },
);
