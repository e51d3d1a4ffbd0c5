import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

import { runInCopy } from '../support/project-copy.ts';
import { copyProject } from './project-with-example.ts';

const page = readFileSync('docs/replace-the-skeleton.md', 'utf8');
const commands = Array.from(page.matchAll(/^ +(rm -r .*)$/gm), ([, command = '']) => command);
const strings = 'src/static/_locales/en/messages.json';

it.each(['specification', 'messages'])(
  'without the feature %s, all checks and both builds pass',
  async (name) => {
    const folder = await createCopy();

    await deleteFeature(folder, name);
    // Documents name SPEC_GAPS.md, and SPEC_GAPS.md names files of the other features.
    if (name === 'specification') await deleteDocuments(folder);
    else await deleteChoices(folder, name);
    await deleteUnused(folder);

    expect(await failuresIn(folder)).toEqual([]);
  },
);

it('the steps of the page make an extension with another name, whose tests pass in both browsers', async () => {
  const folder = await createCopy();

  for (const name of ['specification', 'messages']) await deleteFeature(folder, name);
  await deleteDocuments(folder);
  await edit(folder, 'package.json', (text) => text.replace('"name": "nine-points"', '"name": "other"'));
  await edit(folder, 'manifest.json', (text) => text.replace('nine-points@', 'other@'));
  await edit(folder, strings, (text) => text.replace('"Nine Points"', '"Other"'));
  await deleteUnused(folder);

  expect(await failuresIn(folder)).toEqual([]);
  const browserTests = ['run', '--project=chromium', '--project=firefox'];
  expect(await runInCopy(folder, 'vitest/vitest.mjs', ...browserTests)).toMatch(/Test Files +\d+ passed/);
});

async function createCopy(): Promise<string> {
  const folder = await copyProject();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await runShell(folder, 'git init -q && git add -A');
  return folder;
}

/** Steps 1 and 2: deletes the folders, the lines that name them, and the lines that use an import from them. */
async function deleteFeature(folder: string, name: string): Promise<void> {
  await runShell(folder, commands.find((command) => command.includes(`features/${name} `)) ?? 'false');
  const { stdout } = await runShell(
    folder,
    `git grep -lw features/${name} -- src scripts docs '*.json' || true`,
  );
  for (const path of stdout.split('\n').filter((line) => line !== '')) {
    await edit(folder, path, (text) => {
      const imports = new RegExp(
        `^import (?:type )?\\{([^}]*)\\} from '[^']*features/${name}/[^']*';\\n`,
        'gm',
      );
      const names = Array.from(text.matchAll(imports), ([, list = '']) => list.split(',')).flat();
      const uses = names.map((imported) => new RegExp(`\\b${imported.replace('type ', '').trim()}\\b`));
      return text
        .replaceAll(imports, '')
        .split('\n')
        .filter((line) => !line.includes(`features/${name}`) && !uses.some((use) => use.test(line)))
        .join('\n');
    });
  }
  if (name !== 'specification') return;
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

/** Step 3: deletes the documents of the skeleton and their tests. */
async function deleteDocuments(folder: string): Promise<void> {
  await runShell(folder, commands.find((command) => command.includes('docs')) ?? 'false');
  await writeFile(join(folder, 'README.md'), '# Other\n');
}

/** Step 5: deletes the strings, rules, exports and packages that the checks report as unused. */
async function deleteUnused(folder: string): Promise<void> {
  await runInCopy(folder, 'oxfmt/bin/oxfmt');
  const unused = await runUnit(folder, 'tests/ui/messages.test.ts');
  const keys = Array.from(unused.matchAll(/^\s*\+ +"(\w+)",$/gm), ([, key = '']) => key);
  await edit(folder, strings, (text) => {
    const kept = Object.entries(JSON.parse(text) as object).filter(([key]) => !keys.includes(key));
    return JSON.stringify(Object.fromEntries(kept), undefined, 2);
  });
  const rules = await runUnit(folder, 'tests/ui/styles.test.ts');
  for (const [, sheet = '', unusedClass = ''] of rules.matchAll(
    /every class of (\S+) is used$.*?^\s*\+ +"([\w-]+)",$/gms,
  )) {
    const rule = new RegExp(`^[^{}\\n]*\\.${unusedClass}\\b[^{}]*\\{[^{}]*\\}\\n`, 'gm');
    await edit(folder, sheet, (text) => text.replaceAll(rule, ''));
  }
  await runInCopy(folder, 'knip/bin/knip.js', '--fix', '--fix-type', 'exports,types,dependencies').catch(
    String,
  );
  await runInCopy(folder, 'oxfmt/bin/oxfmt');
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

function runShell(folder: string, command: string): Promise<{ readonly stdout: string }> {
  return promisify(execFile)('sh', ['-c', command], { cwd: folder });
}
