import { expect, it } from 'vitest';

import { features } from '../../src/background/features.ts';
import { callers } from '../../src/callers.ts';
import * as browser from '../support/browser.ts';
import { createMemoryWorld } from '../support/memory-world.ts';

it('the first turn of the background ends without an error', () => {
  browser.resetBrowser();
  const world = createMemoryWorld({
    callers,
    features: () => {
      browser.startTurn();
      return features;
    },
  });

  expect(() => world.fire(() => undefined)).not.toThrow();
});
