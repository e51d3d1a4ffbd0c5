import { expect, inject, it } from 'vitest';

import { buildCoreExtension } from '../support/build-core-extension.ts';
import { killDuringLoad } from '../support/kill-during-load.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';

it('answers every call once while the worker is killed 100 times', async () => {
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName')));

  const { replies, failures, counter } = await killDuringLoad(extension, 100);

  expect(failures).toEqual([]);
  expect(counter).toBe(replies.length);
  expect(new Set(replies).size).toBe(replies.length);
  expect(replies.length).toBeGreaterThan(100);
});
