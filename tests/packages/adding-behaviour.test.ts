import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runInCopy } from '../support/project-copy.ts';
import {
  applyExample,
  blocksOf,
  copyWithExample,
  exampleDocuments,
  GUIDE,
} from '../docs/project-with-example.ts';

describe('a project with the blocks of all documents', () => {
  const paths = [...new Set(exampleDocuments.flatMap(blocksOf).map(({ path }) => path))];
  const tests = paths.filter((path) => /^tests\/.*\.test\.tsx?$/u.test(path) && !path.includes('/browser/'));
  const texts = () => Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  let folder = '';
  const applied: (readonly string[])[] = [];

  beforeAll(async () => {
    folder = await copyWithExample(exampleDocuments);
    applied.push(await texts());
    await applyExample(folder, exampleDocuments);
    applied.push(await texts());
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('does not change when they are applied again, as after a person has typed them', () => {
    expect(applied[1]).toEqual(applied[0]);
  });

  it.concurrent.each([
    ['compiles', /^$/, ['typescript/bin/tsc']],
    [
      'passes the tests of the blocks',
      /Test Files +\d+ passed/,
      ['vitest/vitest.mjs', 'run', '--project=unit', ...tests],
    ],
  ] as const)('%s', async (_claim, printed, [script, ...args]) => {
    expect(await runInCopy(folder, script, ...args)).toMatch(printed);
  });
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
