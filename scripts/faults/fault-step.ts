import { rm } from 'node:fs/promises';

import type { Fault } from '../../tests/faults/fault.ts';
import { faults } from '../../tests/faults/faults.ts';
import { copyProject } from '../copy-project.ts';
import { plantFault } from './plant-fault.ts';
import { runMessagingTests } from './run-messaging-tests.ts';

/** One thing that has to succeed. */
interface Step {
  readonly name: string;
  run(): Promise<StepOutcome>;
}

interface StepOutcome {
  readonly passed: number;
  readonly failed: number;
  /** What it printed, or why it failed. */
  readonly output: string;
}

/** Copies in which faults are planted at the same time: each runs a vitest of its own. */
const LANES = 2;

/** A step that plants each fault in a copy of the project; it passes when the test that has to notice does. */
export const faultStep: Step = {
  name: 'planted faults',
  async run() {
    const folders: string[] = [];
    try {
      for (let lane = 0; lane < LANES; lane += 1) folders.push(await copyProject());
      const [first = ''] = folders;
      const problem = await findProblem(first);
      return problem ?? (await plantAll(folders));
    } finally {
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
    }
  },
};

/** Why nothing can be said of the faults: a place or a test that is named does not exist, or a test fails without any. */
async function findProblem(folder: string): Promise<StepOutcome | undefined> {
  const misplaced: string[] = [];
  for (const fault of faults) {
    await plantFault(folder, fault).then(
      (remove) => remove(),
      (error: unknown) => misplaced.push(String(error)),
    );
  }
  if (misplaced.length > 0) return { passed: 0, failed: misplaced.length, output: misplaced.join('\n') };

  const { results, output } = await runMessagingTests(folder, [
    ...new Set(faults.map(({ caughtBy }) => caughtBy[0])),
  ]);
  if (results.length === 0 || results.some(({ hasPassed }) => !hasPassed)) {
    return { passed: 0, failed: 1, output: `The tests fail without any fault.\n${output}` };
  }
  const unknown = faults
    .map(({ caughtBy }) => caughtBy)
    .filter(([file, name]) => !results.some((result) => result.file === file && result.name === name))
    .map(([file, name]) => `tests/messaging/${file}.test.ts has no test "${name}"`);
  return unknown.length === 0 ? undefined : { passed: 0, failed: unknown.length, output: unknown.join('\n') };
}

async function plantAll(folders: readonly string[]): Promise<StepOutcome> {
  const waiting = [...faults];
  const survivors: string[] = [];
  const work = async (folder: string): Promise<void> => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const survival = await survivalOf(fault, folder);
      if (survival !== undefined) survivors.push(survival);
    }
  };
  // Both lanes end before their folders go, whatever becomes of one.
  const lanes = await Promise.allSettled(folders.map(work));
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason;
  return { passed: faults.length - survivors.length, failed: survivors.length, output: survivors.join('\n') };
}

/** How a fault got by; nothing when it was caught. */
async function survivalOf(fault: Fault, folder: string): Promise<string | undefined> {
  const [file, name] = fault.caughtBy;
  const remove = await plantFault(folder, fault);
  const { results, output } = await runAndRemove();
  if (results.some((result) => result.name === name && !result.hasPassed)) return undefined;

  const how = results.length > 0 ? 'passes' : `did not run:\n${output}`;
  return `${fault.file}: a core that ${fault.breaks} is not noticed; "${name}" (${file}) ${how}`;

  async function runAndRemove(): ReturnType<typeof runMessagingTests> {
    try {
      return await runMessagingTests(folder, [file], name);
    } finally {
      await remove();
    }
  }
}
