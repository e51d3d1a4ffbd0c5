import type { Step } from './step.ts';

const MARK = 'measured: ';

/** The step, which also prints the lines of its output that tell what was measured. */
export function withMeasurements(step: Step): Step {
  return {
    name: step.name,
    async run() {
      const outcome = await step.run();
      for (const line of outcome.output.split('\n')) {
        const start = line.indexOf(MARK);
        if (start >= 0) console.log(`       ${line.slice(start + MARK.length)}`);
      }
      return outcome;
    },
  };
}
