import { browserNames } from './browsers/browser-name.ts';
import { faultStep } from './faults/fault-step.ts';
import { browserStep } from './steps/browser-step.ts';
import { runSteps } from './steps/run-steps.ts';
import { suiteStep } from './steps/suite-step.ts';
import { withMeasurements } from './steps/with-measurements.ts';

// npm run test:soak: what takes too long for npm test, half an hour in all. The last line sums up.
const { passed, failed } = await runSteps([
  faultStep,
  ...browserNames.map(browserStep),
  ...browserNames.map((browser) => withMeasurements(suiteStep(`soak-${browser}`))),
]);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
