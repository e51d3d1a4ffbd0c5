import { expect, it } from 'vitest';

import { blocksOf, GUIDE } from './project-with-example.ts';

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
