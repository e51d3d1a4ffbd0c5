import { rm } from 'node:fs/promises';

import { browserNames } from './browsers/browser-name.ts';
import { browserStep } from './steps/browser-step.ts';
import { checkSteps } from './steps/check-steps.ts';
import { runSteps } from './steps/run-steps.ts';
import { suiteStep } from './steps/suite-step.ts';
import { toolStep } from './steps/tool-step.ts';
import { testBuilds } from './test-builds.ts';

// npm test: everything quick, what builds, then the production builds in both browsers at the same time: much of what they
// show is waiting, for a worker to fall asleep above all. The last line sums up.
await rm(testBuilds, { recursive: true, force: true });
const { passed, failed } = await runSteps([
  ...checkSteps,
  // Builds for both browsers on the way. What is tested need not be committed yet.
  toolStep('packages', 'tsx', 'scripts/package.ts', '--dirty'),
  // By themselves: these are all work and no waiting.
  suiteStep('packages'),
  suiteStep('guide'),
  ...browserNames.map(browserStep),
  [
    suiteStep('chromium'),
    // Firefox takes longest to start, which is waiting too.
    suiteStep('firefox', '1/2'),
    suiteStep('firefox', '2/2'),
    ...browserNames.map((browser) => suiteStep(`${browser}-asleep`)),
  ],
]);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
