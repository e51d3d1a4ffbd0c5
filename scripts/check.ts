import { checkSteps } from './steps/check-steps.ts';
import { runSteps } from './steps/run-steps.ts';

// npm run check: everything quick.
const { failed } = await runSteps(checkSteps);
process.exitCode = failed > 0 ? 1 : 0;
