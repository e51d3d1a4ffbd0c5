import { rm } from 'node:fs/promises';

import { browserNames } from './browsers/browser-name.ts';
import { browserStep } from './steps/browser-step.ts';
import { runSteps } from './steps/run-steps.ts';
import { suiteStep } from './steps/suite-step.ts';
import { toolStep } from './steps/tool-step.ts';
import { withMeasurements } from './steps/with-measurements.ts';
import { testBuilds } from './test-builds.ts';

// npm run test:soak: what takes too long for npm test, an hour in all. The last line sums up.
await rm(testBuilds, { recursive: true, force: true });
const { passed, failed } = await runSteps([
  toolStep('packages', 'tsx', 'scripts/package.ts', '--dirty'),
  withMeasurements(suiteStep('soak-packages')),
  ...browserNames.map(browserStep),
  ...browserNames.map((browser) => withMeasurements(suiteStep(`soak-${browser}`))),
]);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
