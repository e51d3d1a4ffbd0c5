import { runTool } from './run-tool.ts';
import type { Step } from './step.ts';

/** A step that succeeds when a tool ends with 0. */
export function toolStep(name: string, tool: string, ...args: readonly string[]): Step {
  return {
    name,
    async run() {
      const { succeeded, output } = await runTool(tool, args);
      return { passed: 0, failed: succeeded ? 0 : 1, output };
    },
  };
}
