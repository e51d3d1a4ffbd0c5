import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchBrowser } from '../bench-browser.ts';
import type { Scenario } from '../comparison.ts';
import { contenderFor } from '../contender-for.ts';
import { runRounds } from '../run-rounds.ts';
import type { Contender } from '../run-rounds.ts';

/** Milliseconds for the browser to be done with what it does after the end of a worker. */
const REST = 200;

/**
 * The first call to a worker that has to be started for it. Both workers are stopped before every sample.
 *
 * @param what which of the two workers load webextension-polyfill
 */
export const coldWake =
  (what: string): Scenario =>
  async (browser, effort) => {
    const load = { bytes: 100, samples: 1, callsPerSample: 1 };
    const contenders = [
      contenderFor('core', browser.client, 'echo', load),
      contenderFor('sendMessage', browser.raw, 'message', load),
    ].map((contender) => afterDeath(browser, contender));
    const [measured, against] = await runRounds(contenders, Math.ceil(100 * effort));
    if (measured === undefined || against === undefined) return [];

    return [{ scenario: `cold wake, ${what}`, unit: 'ms', measured, against, goal: { most: 1.15 } }];
  };

function afterDeath({ stopWorkers }: BenchBrowser, { name, run }: Contender): Contender {
  return {
    name,
    run: async () => {
      await stopWorkers();
      await sleep(REST);
      return run();
    },
  };
}
