import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runInCopy } from '../support/project-copy.ts';
import { guideBlocks } from '../docs/guide-blocks.ts';
import { applyExample, copyWithExample, exampleDocuments } from '../docs/project-with-example.ts';

const [GUIDE] = exampleDocuments;

const blocksOf = (document: string) => guideBlocks(readFileSync(document, 'utf8'));

describe.each([
  // This copy has answers in SPEC_GAPS.md, so that the tests of the features also pass with answers.
  { documents: [GUIDE], change: answerSome },
  { documents: exampleDocuments, change: (text: string) => text },
])('a project with the blocks of $documents.length documents', ({ documents, change }) => {
  const paths = [...new Set(documents.flatMap(blocksOf).map(({ path }) => path))];
  let folder = '';

  beforeAll(async () => {
    folder = await copyWithExample(documents);
    const questionnaire = join(folder, 'SPEC_GAPS.md');
    await writeFile(questionnaire, change(await readFile(questionnaire, 'utf8')));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.concurrent.each([
    ['compiles', /^$/, ['typescript/bin/tsc']],
    ['is formatted', /All matched/, ['oxfmt/bin/oxfmt', '--check', ...paths]],
    [
      'passes the linter',
      /0 errors/,
      ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings', 'src', ...paths],
    ],
    ['has no unused code', /^$/, ['knip/bin/knip.js']],
    [
      'passes its own tests and all tests outside of the core, unchanged',
      /Test Files +\d+ passed/,
      [
        'vitest/vitest.mjs',
        'run',
        '--project=unit',
        ...['background', 'features', 'options', 'popup', 'scripts', 'ui'].map((name) => `tests/${name}`),
      ],
    ],
  ] as const)('%s', async (_claim, printed, [script, ...args]) => {
    expect(await runInCopy(folder, script, ...args)).toMatch(printed);
  });

  it.concurrent('is built', async () => {
    const printed = await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', 'chromium');

    expect(printed).toContain('Built for chromium');
  });
});

it('the blocks can be applied to a project in which a person has typed them', async () => {
  const typed = await copyWithExample(exampleDocuments);
  const texts = () => Promise.all(paths.map((path) => readFile(join(typed, path), 'utf8')));
  const paths = [...new Set(exampleDocuments.flatMap(blocksOf).map(({ path }) => path))];
  const before = await texts();

  await applyExample(typed, exampleDocuments);

  expect(await texts()).toEqual(before);
  await rm(typed, { recursive: true, force: true });
});

it('the commands of docs/recipes/debug-in-production.md find the source of a minified script of a release', async () => {
  const folder = await copyWithExample(exampleDocuments);
  const commands = readFileSync('docs/recipes/debug-in-production.md', 'utf8');
  const [, args = ''] = /^npx vite (.*)$/m.exec(commands) ?? [];

  await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', 'chromium');
  await runInCopy(folder, 'vite/bin/vite.js', ...args.split(' '));
  const mapped = await readFile(join(folder, '.cache/maps/worker.js'), 'utf8');
  const position = ['1', String(mapped.indexOf('was not adopted') + 1)];
  const script = ['.cache/find-source.mjs', '.cache/maps/worker.js', ...position];
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: folder });

  expect(stdout).toContain('src/messaging/state/preparation.ts:');
  const released = await readFile(join(folder, 'dist/chromium/worker.js'), 'utf8');
  expect(mapped.slice(0, released.trimEnd().length)).toBe(released.trimEnd());
  await rm(folder, { recursive: true, force: true });
});

it('the guide has two new source files and changes three, without its tests', () => {
  const blocks = blocksOf(GUIDE).filter(({ path }) => !path.startsWith('tests/'));
  const created = new Set(blocks.filter(({ kind }) => kind === 'file').map(({ path }) => path));
  const changed = new Set(blocks.map(({ path }) => path).filter((path) => !created.has(path)));

  expect([created.size, changed.size]).toEqual([2, 3]);
});

it('the blocks of the README are also blocks of the guide', () => {
  expect(blocksOf('README.md')).not.toEqual([]);
  expect(blocksOf(GUIDE)).toEqual(expect.arrayContaining([...blocksOf('README.md')]));
});

/** Writes an answer below one question of the seventh point and below all of the ninth, as a person does in any editor. */
function answerSome(questionnaire: string): string {
  return questionnaire.replaceAll(
    /^\*\*(?:7\.1|9\.\d+)\*\* (?:.+\n)*.*\?\s+Answer:$/gm,
    '$& Does not apply, because so.',
  );
}
