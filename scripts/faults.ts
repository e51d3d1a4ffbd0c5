import { faultStep } from './faults/fault-step.ts';

// npm run test:faults: breaks the messaging core in one place after the other; each time a test has to fail.
const { passed, failed, output } = await faultStep.run();
if (failed > 0) console.log(output);
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);
