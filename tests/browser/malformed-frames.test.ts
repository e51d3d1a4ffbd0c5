import { expect, it } from 'vitest';

import { sendMalformedFrames } from '../support/send-malformed-frames.ts';
import { unharmed } from '../support/unharmed.ts';

it('answers 5,000 malformed frames with typed errors or not at all', async () => {
  const { sent, heapGrowth, ...aftermath } = await sendMalformedFrames(5_000);

  expect(sent).toBe(5_000);
  expect(aftermath).toEqual(unharmed);
  expect(heapGrowth).toBeLessThan(1024 * 1024);
});
