import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { copyWithExample, guideBlocks, runInCopy } from '../support/project-copy.ts';

const blocks = guideBlocks(readFileSync('docs/adding-behaviour.md', 'utf8'));
const paths = [...new Set(blocks.map(({ path }) => path))];
let folder = '';

beforeAll(async () => {
  folder = await copyWithExample();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('docs/adding-behaviour.md', () => {
  it('says of every block which file it goes into', () => {
    const silent = blocks.filter(({ path, said }) => !said.includes(path));

    expect(blocks.length).toBeGreaterThan(10);
    expect(silent).toEqual([]);
  });

  it.each([
    ['A query', 5],
    ['A mutation with state', 5],
    ['A live view', 3],
  ])('counts the files right that are touched for it: %s, %i', (section, count) => {
    const touched = new Set(blocks.filter((block) => block.section === section).map(({ path }) => path));

    expect([...touched].filter((path) => path.startsWith('src/'))).toHaveLength(count);
  });
});

describe.concurrent('a project with the example in it', () => {
  it('contains the excerpts that the README shows', () => {
    const excerpts = guideBlocks(readFileSync('README.md', 'utf8')).flatMap(({ path, text }) =>
      text.split('\n\n').map((excerpt) => ({ path, excerpt })),
    );
    const isThere = ({ path, excerpt }: (typeof excerpts)[number]): boolean =>
      unindented(readFileSync(join(folder, path), 'utf8')).includes(unindented(excerpt));

    expect(excerpts).toHaveLength(4);
    expect(excerpts.filter((excerpt) => !isThere(excerpt))).toEqual([]);
  });

  it('compiles', async () => {
    await expect(runInCopy(folder, 'typescript/bin/tsc')).resolves.toBe('');
  });

  it('is formatted, and passes the linter', async () => {
    const code = paths.filter((path) => !path.endsWith('.md'));

    await expect(runInCopy(folder, 'oxfmt/bin/oxfmt', '--check', ...code)).resolves.toContain('All matched');
    await expect(
      runInCopy(folder, 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings', 'src'),
    ).resolves.toContain('0 errors');
  });

  it('passes its own tests, and those that every feature has to pass', async () => {
    const printed = await runInCopy(
      folder,
      'vitest/vitest.mjs',
      'run',
      '--project=unit',
      '--typecheck.enabled=false',
      ...paths.filter((path) => path.startsWith('tests/')),
      'tests/background/storage-handlers.test.ts',
      'tests/contract',
      'tests/imports.test.ts',
      'tests/options/stored-data.test.tsx',
      'tests/scripts/spec-gaps/spec-gaps-file.test.ts',
      'tests/ui/messages.test.ts',
    );

    expect(printed).toMatch(/Test Files +\d+ passed/);
  });

  it('is built, and passes every gate', async () => {
    const printed = await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', 'chromium');

    expect(printed).toContain('Built for chromium');
  });
});

function unindented(code: string): string {
  return code.replaceAll(/^ +/gm, '');
}
