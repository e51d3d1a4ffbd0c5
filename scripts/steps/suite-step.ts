import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import * as v from 'valibot';

import { projectFolder } from '../project-folder.ts';
import { runTool } from './run-tool.ts';
import type { Step, StepOutcome } from './step.ts';

/**
 * A step that runs one of the projects in vitest.config.ts and counts its tests. A suite without a test has failed.
 *
 * @param share which part of its files, as `1/2`; all unless told
 */
export function suiteStep(project: string, share = '1/1'): Step {
  return {
    name: `tests: ${project}${share === '1/1' ? '' : `, ${share}`}`,
    async run() {
      const folder = await mkdtemp(join(tmpdir(), 'test-report-'));
      try {
        return await runSuite(project, share, join(folder, 'report.json'));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

const Report = v.object({
  numPassedTests: v.number(),
  testResults: v.array(
    v.object({
      status: v.string(),
      name: v.string(),
      assertionResults: v.array(
        v.object({ status: v.string(), fullName: v.string(), failureMessages: v.array(v.string()) }),
      ),
    }),
  ),
});

async function runSuite(project: string, share: string, file: string): Promise<StepOutcome> {
  const { succeeded, output } = await runTool('vitest', [
    'run',
    `--project=${project}`,
    `--shard=${share}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    '--allowOnly=false',
  ]);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 1, output: `${output}\nvitest left no report` };

  const { numPassedTests: passed, testResults } = v.parse(Report, JSON.parse(text));
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      // A file that cannot even be loaded has failed without a failed test in it.
      if (failed.length === 0) return [relative(projectFolder, name)];
      return failed.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`);
    });

  if (failures.length === 0 && passed === 0) return { passed, failed: 1, output: `${output}\nNo test ran` };
  // Errors outside any test, such as a rejection that nobody handles, fail the run and no test.
  const failed = succeeded ? failures.length : Math.max(failures.length, 1);
  // The failures before all else: where a log is cut, it is cut behind its beginning.
  return { passed, failed, output: [...failures, output].join('\n\n') };
}
