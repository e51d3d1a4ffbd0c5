import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

import { projectFolder } from '../project-folder.ts';

/** What became of one test. `file` as in `tests/messaging/<file>.test.ts`. */
interface TestResult {
  readonly file: string;
  readonly name: string;
  readonly hasPassed: boolean;
}

/** The tests to run: all, or the one of this name in this file. */
type Selection = 'all' | readonly [file: string, name: string];

const Report = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      assertionResults: v.array(v.object({ title: v.string(), status: v.string() })),
    }),
  ),
});

/** Milliseconds that a test gets. Where a fault lets it wait for what never comes, that ends it. */
const TEST_TIMEOUT = 3_000;

/** Milliseconds after which a run is ended that a fault keeps busy for ever. */
const RUN_TIMEOUT = 60_000;

/** Runs tests of the messaging core in a copy of the project. Gives the results of those that ran, and vitest's output. */
export async function runMessagingTests(
  folder: string,
  selection: Selection,
): Promise<{ readonly results: readonly TestResult[]; readonly output: string }> {
  const file = join(folder, 'report.json');
  const chosen =
    selection === 'all'
      ? ['tests/messaging/']
      : [`tests/messaging/${selection[0]}.test.ts`, '--testNamePattern', `${escape(selection[1])}$`];
  const output = await runVitest([
    'run',
    '--root',
    folder,
    '--project=unit',
    // In threads nothing outlives the process that is ended.
    '--pool=threads',
    '--typecheck.enabled=false',
    `--testTimeout=${TEST_TIMEOUT}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
    ...chosen,
  ]);
  const text = await readFile(file, 'utf8').catch(() => '{ "testResults": [] }');
  await rm(file, { force: true });

  const { testResults } = v.parse(Report, JSON.parse(text));
  const results = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, status }) => ({ file: fileOf(name), name: title, hasPassed: status === 'passed' })),
  );
  return { results, output };
}

function runVitest(args: readonly string[]): Promise<string> {
  const script = join(projectFolder, 'node_modules/vitest/vitest.mjs');
  return new Promise((resolve) => {
    const options = { timeout: RUN_TIMEOUT, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 } as const;
    execFile(process.execPath, [script, ...args], options, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

function fileOf(path: string): string {
  return path.replace(/^.*[/\\]/, '').replace(/\.test\.ts$/, '');
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
