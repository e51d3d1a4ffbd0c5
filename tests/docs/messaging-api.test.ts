import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { runInCopy } from '../support/project-copy.ts';

it('the examples of docs/messaging-api.md compile, as one module in a folder of src', async () => {
  const folder = join(projectFolder, '.cache/docs');
  const module = 'examples/messaging-api.md.ts';
  const markdown = await readFile(join(projectFolder, 'docs/messaging-api.md'), 'utf8');
  await mkdir(join(folder, 'examples'), { recursive: true });
  await writeFile(join(folder, module), examplesOf(markdown));
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false, rootDirs: ['.', '../../src'] },
    files: [module],
    include: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));

  // Rejects with the compiler's errors.
  expect(await runInCopy(folder, 'typescript/bin/tsc')).toBe('');
});

/** Returns the blocks of TypeScript. Each keeps its line, so that an error names the line of the document. */
function examplesOf(markdown: string): string {
  let isExample = false;
  const lines = markdown.split('\n').map((line) => {
    if (!line.startsWith('```')) return isExample ? line : '';
    isExample = line === '```ts';
    return '';
  });
  return lines.join('\n');
}
