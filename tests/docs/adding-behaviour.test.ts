import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import { copyWithExample, guideBlocks, runInCopy } from '../support/project-copy.ts';

const paths = [
  ...new Set(guideBlocks(readFileSync('docs/adding-behaviour.md', 'utf8')).map(({ path }) => path)),
];
const sources = paths.filter((path) => !path.endsWith('.md'));
let folder = '';

beforeAll(async () => {
  folder = await copyWithExample();
  const questionnaire = join(folder, 'SPEC_GAPS.md');
  await writeFile(questionnaire, answerSome(await readFile(questionnaire, 'utf8')));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.concurrent('a project with the example in it, and with answers in SPEC_GAPS.md', () => {
  it('contains the excerpts that the README shows', () => {
    const unindented = (code: string): string => code.replaceAll(/^ +/gm, '');
    const excerpts = guideBlocks(readFileSync('README.md', 'utf8')).flatMap(({ path, text }) =>
      text.split('\n\n').map((excerpt) => ({ path, excerpt })),
    );

    const missing = excerpts.filter(
      ({ path, excerpt }) =>
        !unindented(readFileSync(join(folder, path), 'utf8')).includes(unindented(excerpt)),
    );

    expect(excerpts).not.toEqual([]);
    expect(missing).toEqual([]);
  });

  it.each([
    ['compiles', /^$/, ['typescript/bin/tsc']],
    ['is formatted', /All matched/, ['oxfmt/bin/oxfmt', '--check', ...sources]],
    ['passes the linter', /0 errors/, ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...sources]],
    [
      'passes its own tests, and those that every feature has to pass',
      /Test Files +\d+ passed/,
      [
        'vitest/vitest.mjs',
        'run',
        '--project=unit',
        '--typecheck.enabled=false',
        ...paths.filter((path) => path.startsWith('tests/')),
        'tests/background/handlers.test.ts',
        'tests/contract',
        'tests/options/stored-data.test.tsx',
        'tests/options/views.test.tsx',
        'tests/popup/popup.test.tsx',
        'tests/scripts/spec-gaps-file.test.ts',
        'tests/ui/messages.test.ts',
      ],
    ],
  ] as const)('%s', async (_claim, printed, [script, ...args]) => {
    expect(await runInCopy(folder, script, ...args)).toMatch(printed);
  });

  it('is built, passes every gate, and shows what is answered', async () => {
    const printed = await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', 'chromium');
    const popup = await readFile(join(folder, 'dist/chromium', pages.popup), 'utf8');
    const { length } = (await readFile(join(folder, 'SPEC_GAPS.md'), 'utf8')).match(/^\*\*9\.\d/gm) ?? [];

    expect(printed).toContain('Built for chromium');
    expect(popup).toContain(`${length} of ${length} answered`);
  });
});

/** Writes an answer below one question of the seventh point and below all of the ninth, as a person does in any editor. */
function answerSome(questionnaire: string): string {
  return questionnaire.replaceAll(
    /^\*\*(?:7\.1|9\.\d+)\*\* (?:.+\n)*.*\?$(?!\s+Answer:)/gm,
    '$&\n\nAnswer: Does not apply, because so.',
  );
}
