import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { applyExample, blocksOf, exampleDocuments, withNeeds } from '../../docs/project-with-example.ts';
import { copyProject, runInCopy } from '../../support/project-copy.ts';
import { writeFiles } from '../../support/temporary-folder.ts';

let folder = '';

beforeAll(async () => {
  folder = await copyProject();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each(exampleDocuments)('%s alone compiles, and passes its tests', async (document) => {
  const documents = withNeeds(document);
  const blocks = documents.flatMap(blocksOf);
  // A document may create a file, and change it later.
  const created = new Set(blocks.filter(({ kind }) => kind === 'file').map(({ path }) => path));
  const changed = new Set(blocks.map(({ path }) => path).filter((path) => !created.has(path)));
  const before = [...changed].map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);

  await applyExample(folder, documents);
  const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) && !path.includes('/browser/');
  // Each background must also start. A document may have no tests.
  const tests = ['tests/background/first-turn.test.ts', ...[...created].filter(isTest)];

  expect(await runInCopy(folder, 'typescript/bin/tsc')).toBe('');
  // Rejects with the output of a test that fails.
  await runInCopy(folder, 'vitest/vitest.mjs', 'run', '--project=unit', ...tests);

  await Promise.all([...created].map((path) => rm(join(folder, path), { force: true })));
  await writeFiles(folder, Object.fromEntries(before));
});
