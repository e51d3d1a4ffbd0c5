import type { Scenario } from '../comparison.ts';
import { contenderFor } from '../contender-for.ts';
import { runRounds } from '../run-rounds.ts';

/** The same query to a server with a recorder that is off and to one without. */
export const recorderOff: Scenario = async (browser, effort) => {
  const load = { bytes: 100, samples: 25 };
  const contenders = [
    contenderFor('recorder off', browser.recorded, 'echo', load),
    contenderFor('no recorder', browser.client, 'echo', load),
  ];
  const [measured, against] = await runRounds(contenders, Math.ceil(80 * effort), 16);
  if (measured === undefined || against === undefined) return [];

  return [{ scenario: 'recording off', unit: 'ms', measured, against, goal: { most: 1.05 } }];
};
