import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runInCopy } from '../support/project-copy.ts';
import { guideBlocks } from '../docs/guide-blocks.ts';
import { copyWithExample, exampleDocuments } from '../docs/project-with-example.ts';

const [GUIDE, EXTENDING] = exampleDocuments;

const blocksOf = (document: string) => guideBlocks(readFileSync(document, 'utf8'));

describe.each([
  // This copy has answers in SPEC_GAPS.md, so that the tests of the features also pass with answers.
  { documents: [GUIDE], change: answerSome, tests: ['tests/contract', 'tests/features'] },
  // docs/extending.md adds permissions and websites, so the tests that exclude these are left out.
  {
    documents: [GUIDE, EXTENDING],
    change: (text: string) => text,
    tests: ['tests/contract', 'tests/features/example', 'tests/features/specification/take-answers.test.ts'],
  },
])('a project with the blocks of $documents', ({ documents, change, tests }) => {
  const paths = [...new Set(documents.flatMap(blocksOf).map(({ path }) => path))];
  const sources = paths.filter((path) => !path.endsWith('.md'));
  let folder = '';

  beforeAll(async () => {
    folder = await copyWithExample(documents);
    const questionnaire = join(folder, 'SPEC_GAPS.md');
    await writeFile(questionnaire, change(await readFile(questionnaire, 'utf8')));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.concurrent.each([
    ['compiles', /^$/, ['typescript/bin/tsc']],
    ['is formatted', /All matched/, ['oxfmt/bin/oxfmt', '--check', ...sources]],
    ['passes the linter', /0 errors/, ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...sources]],
    ['has no unused code', /^$/, ['knip/bin/knip.js']],
    [
      'passes its own tests and the tests for every feature',
      /Test Files +\d+ passed/,
      [
        'vitest/vitest.mjs',
        'run',
        '--project=unit',
        '--typecheck.enabled=false',
        'tests/options',
        'tests/popup',
        'tests/ui',
        ...tests,
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
