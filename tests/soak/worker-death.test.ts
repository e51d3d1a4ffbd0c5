import { expect, inject, it } from 'vitest';

import { buildCoreExtension } from '../support/build-core-extension.ts';
import { killDuringLoad } from '../support/kill-during-load.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';

it('answers every call once while the worker is killed 1,000 times', async () => {
  const browser = inject('browserName');
  const extension = await launchBuiltExtension(await buildCoreExtension(browser));

  const { replies, failures, counter, calls, p50, p99 } = await killDuringLoad(extension, 1_000);

  const mutations = replies.length;
  console.log(
    `measured: ${browser}: ${JSON.stringify({ kills: 1_000, calls, mutations, counter, p50, p99 })}`,
  );
  expect(failures).toEqual([]);
  expect(counter).toBe(mutations);
  expect(new Set(replies).size).toBe(mutations);
  expect(mutations).toBeGreaterThan(1_000);
  expect(p99).toBeLessThanOrEqual(500);
});
