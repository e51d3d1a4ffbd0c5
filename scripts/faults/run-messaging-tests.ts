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

/** Bytes. A fault may make a test very talkative. */
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Runs these files' tests, or those of one name, in a copy of the project. Gives the results and vitest's output. */
export async function runMessagingTests(
  folder: string,
  files: readonly string[],
  name?: string,
): Promise<{ readonly results: readonly TestResult[]; readonly output: string }> {
  const report = join(folder, 'report.json');
  const output = await runVitest(folder, [
    'run',
    '--project=unit',
    // In threads nothing outlives the process that is ended.
    '--pool=threads',
    '--typecheck.enabled=false',
    `--testTimeout=${TEST_TIMEOUT}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(name === undefined ? [] : ['--testNamePattern', `${escape(name)}$`]),
    ...files.map((file) => `tests/messaging/${file}.test.ts`),
  ]);
  const text = await readFile(report, 'utf8').catch(() => '{ "testResults": [] }');
  await rm(report, { force: true });

  const { testResults } = v.parse(Report, JSON.parse(text));
  const results = testResults.flatMap(({ name: path, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ title, status }) => ({ file: fileOf(path), name: title, hasPassed: status === 'passed' })),
  );
  return { results, output };
}

function runVitest(folder: string, args: readonly string[]): Promise<string> {
  const script = join(projectFolder, 'node_modules/vitest/vitest.mjs');
  return new Promise((resolve) => {
    const options = {
      cwd: folder,
      timeout: RUN_TIMEOUT,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT,
    } as const;
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
