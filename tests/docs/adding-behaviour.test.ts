import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { copyWithExample, guideBlocks, runInCopy } from '../support/project-copy.ts';

const paths = [
  ...new Set(guideBlocks(readFileSync('docs/adding-behaviour.md', 'utf8')).map(({ path }) => path)),
];
let folder = '';

beforeAll(async () => {
  folder = await copyWithExample();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.concurrent('a project with the example in it', () => {
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
    [
      'is formatted',
      /All matched/,
      ['oxfmt/bin/oxfmt', '--check', ...paths.filter((path) => !path.endsWith('.md'))],
    ],
    ['passes the linter', /0 errors/, ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings', 'src']],
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
        'tests/imports.test.ts',
        'tests/options/stored-data.test.tsx',
        'tests/scripts/spec-gaps-file.test.ts',
        'tests/ui/messages.test.ts',
      ],
    ],
    [
      'is built, and passes every gate',
      /Built for chromium/,
      ['tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', 'chromium'],
    ],
  ] as const)('%s', async (_claim, printed, [script, ...args]) => {
    expect(await runInCopy(folder, script, ...args)).toMatch(printed);
  });
});
