import type { Step } from './step.ts';
import { suiteStep } from './suite-step.ts';
import { toolStep } from './tool-step.ts';

/** Everything that needs neither a build nor a browser. */
export const checkSteps: readonly Step[] = [
  toolStep('format', 'oxfmt', '--check'),
  toolStep('lint', 'oxlint', '--type-aware', '--deny-warnings'),
  toolStep('types', 'tsc'),
  toolStep('unused code', 'knip'),
  suiteStep('unit'),
];
