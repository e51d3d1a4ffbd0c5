import type { Step, StepOutcome } from './step.ts';

interface Totals {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Runs all steps one after the other, those in a list of their own at the same time, also past one that fails, and
 * prints each one's name, time and failures.
 */
export async function runSteps(steps: readonly (Step | readonly Step[])[]): Promise<Totals> {
  let totals: Totals = { passed: 0, failed: 0 };
  for (const group of steps) {
    for (const { passed, failed } of await Promise.all([group].flat().map(runStep))) {
      totals = { passed: totals.passed + passed, failed: totals.failed + failed };
    }
  }
  return totals;
}

async function runStep(step: Step): Promise<StepOutcome> {
  const start = performance.now();
  const outcome = await step.run().catch(crashed);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const { passed, failed, output } = outcome;

  const verdict = failed > 0 ? 'FAILED' : 'ok';
  const count = passed > 0 ? `, ${passed} passed${failed > 0 ? `, ${failed} failed` : ''}` : '';
  console.log(`${verdict.padEnd(6)} ${step.name} (${seconds} s${count})`);
  if (failed > 0) console.log(`\n${output.trim()}\n`);
  return outcome;
}

function crashed(error: unknown): StepOutcome {
  const output = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { passed: 0, failed: 1, output };
}
