import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

import { git } from '../../../scripts/git.ts';
import { withoutLines } from '../../docs/without-sample.ts';
import { copyProject, runInCopy } from '../../support/project-copy.ts';

const page = readFileSync('docs/replace-the-skeleton.md', 'utf8');
const commands = Array.from(page.matchAll(/^ +(rm .*)$/gm), ([, command = '']) => command);
const strings = 'src/static/_locales/en/messages.json';

it('without the feature messages, all checks and both builds pass', async () => {
  const folder = await createCopy();

  await runCommands(folder, 'features/messages ');
  await deleteLines(folder, 'features/messages');
  await deleteChoices(folder, 'messages');
  await deleteUnused(folder);

  expect(await failuresIn(folder)).toEqual([]);
});

it('the steps of the page leave nothing of the skeleton, and the tests pass in both browsers', async () => {
  const folder = await createCopy();

  await runCommands(folder, '');
  for (const name of ['features/specification', 'features/messages', 'SPEC_GAPS', 'replace-the-skeleton']) {
    await deleteLines(folder, name);
  }
  await writeOwn(folder);
  await deleteUnused(folder);

  const names = /nine.points|skeleton|SPEC_GAPS|questionnaire|features\/(?:specification|messages)/iu;
  expect((await git(folder, ['grep', '-iE', '.'])).split('\n').filter((line) => names.test(line))).toEqual(
    [],
  );
  expect(await failuresIn(folder)).toEqual([]);
  const blocks = ['run', '--project=release-builds', 'tests/release/builds/adding-behaviour.test.ts'];
  expect(await runInCopy(folder, 'vitest/vitest.mjs', ...blocks)).toMatch(/Test Files +1 passed/);
  const browserTests = ['run', '--project=chromium', '--project=firefox'];
  expect(await runInCopy(folder, 'vitest/vitest.mjs', ...browserTests)).toMatch(/Test Files +\d+ passed/);
});

async function createCopy(): Promise<string> {
  const folder = await copyProject();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await git(folder, ['init', '--quiet']);
  await git(folder, ['add', '--all']);
  return folder;
}

/** Steps 1 and 2: runs the commands of the page that have this text. */
async function runCommands(folder: string, text: string): Promise<void> {
  const found = commands.filter((command) => command.includes(text));
  await promisify(execFile)('sh', ['-ec', found.join('\n')], { cwd: folder });
  await git(folder, ['add', '--all']);
}

/** Step 3: deletes the lines that name a deleted file, and the lines that use an import from it. */
async function deleteLines(folder: string, name: string): Promise<void> {
  const others = [':!src/static', ':!tests/soak/builds'];
  const paths = await git(folder, ['grep', '-lw', name, '--', ...others]).catch(() => '');
  for (const path of paths.split('\n').filter((line) => line !== '')) {
    await edit(folder, path, (text) => withoutLines(text, name));
  }
  if (name !== 'features/specification') return;
  await edit(folder, 'src/popup/popup.tsx', (text) =>
    text.replace(/<p( className="name">.*)<\/p>/, '<h1$1</h1>'),
  );
}

/** Deletes the lines of SPEC_GAPS.md that name a feature, and choices without any other place. */
async function deleteChoices(folder: string, name: string): Promise<void> {
  await edit(folder, 'SPEC_GAPS.md', (text) => {
    const places = new RegExp(`^ {2}- .*features/${name}/.*\\n`, 'gm');
    const choices = text.split(/^(?=- \*\*)/m);
    return choices
      .filter((choice) => !places.test(choice) || choice.replaceAll(places, '').includes('\n  - '))
      .map((choice) => choice.replaceAll(places, ''))
      .join('');
  });
}

/** Step 4: gives the extension another name and its own documents. */
async function writeOwn(folder: string): Promise<void> {
  await edit(folder, 'package.json', (text) => text.replace('"name": "nine-points"', '"name": "other"'));
  await edit(folder, 'package-lock.json', (text) =>
    text.replaceAll('"name": "nine-points"', '"name": "other"'),
  );
  await edit(folder, 'manifest.json', (text) => text.replace('nine-points@', 'other@'));
  await edit(folder, strings, (text) => text.replace('"Nine Points"', '"Other"'));
  await edit(folder, 'src/popup/popup.tsx', (text) =>
    text.replace(/<p (className="name".*)<\/p>/u, '<h1 $1</h1>'),
  );
  await edit(folder, 'docs/release.md', (text) => text.replace(/^## Listing$.*/ms, '## Listing\n'));
  for (const path of ['README.md', 'CHANGELOG.md']) await writeFile(join(folder, path), '# Other\n');
}

/** Step 5: deletes the strings, rules, exports, files and packages that the checks report as unused. */
async function deleteUnused(folder: string): Promise<void> {
  await runInCopy(folder, 'oxlint/bin/oxlint', '--fix', '--quiet').catch(String);
  await runInCopy(folder, 'oxfmt/bin/oxfmt');
  const unused = await runUnit(folder, 'tests/ui/messages.test.ts');
  const keys = Array.from(unused.matchAll(/^\s*\+ +"(\w+)",$/gm), ([, key = '']) => key);
  await edit(folder, strings, (text) => {
    const kept = Object.entries(JSON.parse(text) as object).filter(([key]) => !keys.includes(key));
    return JSON.stringify(Object.fromEntries(kept), undefined, 2);
  });
  // The output has one class for each sheet first.
  for (let pass = 0; pass < 5; pass += 1) await deleteUnusedRules(folder);
  await runInCopy(folder, 'knip/bin/knip.js', '--fix', '--allow-remove-files').catch(String);
  await runInCopy(folder, 'oxfmt/bin/oxfmt');
}

/** Deletes the rules of one unused class of each sheet. */
async function deleteUnusedRules(folder: string): Promise<void> {
  const output = await runUnit(folder, 'tests/ui/styles.test.ts');
  for (const [, sheet = '', unusedClass = ''] of output.matchAll(
    /every class of (\S+) is used$.*?^\s*\+ +"([\w-]+)",$/gms,
  )) {
    const rule = new RegExp(`^[^{}\\n]*\\.${unusedClass}\\b[^{}]*\\{[^{}]*\\}\\n`, 'gm');
    // A class that is used may share the rule.
    const shared = new RegExp(`,\\n *\\.${unusedClass}(?= \\{)`, 'g');
    await edit(folder, sheet, (text) => text.replaceAll(shared, '').replaceAll(rule, ''));
  }
}

/** Runs a unit test. Returns the output, also if it fails. */
function runUnit(folder: string, file: string): Promise<string> {
  return runInCopy(folder, 'vitest/vitest.mjs', 'run', '--project=unit', file).catch(String);
}

/** Runs all checks and both builds. Returns the output of those that fail. */
async function failuresIn(folder: string): Promise<readonly string[]> {
  const checks: readonly (readonly [script: string, ...args: string[]])[] = [
    ['oxfmt/bin/oxfmt', '--check'],
    ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
    ['knip/bin/knip.js'],
    ['typescript/bin/tsc'],
    ['vitest/vitest.mjs', 'run', '--project=unit'],
    ['tsx/dist/cli.mjs', 'scripts/build.ts'],
  ];
  const failures: string[] = [];
  for (const [script, ...args] of checks) {
    await runInCopy(folder, script, ...args).catch((error: unknown) => failures.push(String(error)));
  }
  return failures;
}

async function edit(folder: string, path: string, change: (text: string) => string): Promise<void> {
  const file = join(folder, path);
  await writeFile(file, change(await readFile(file, 'utf8')));
}
