import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { listSource } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { runInCopy } from '../support/project-copy.ts';

it('the examples of docs/messaging-api.md compile, as one module in a folder of src', async () => {
  const folder = join(projectFolder, '.cache/docs');
  const module = 'examples/messaging-api.md.ts';
  const markdown = await read('docs/messaging-api.md');
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

it('docs/messaging-api.md names everything that the rest of src imports from the core', async () => {
  const reference = await read('docs/messaging-api.md');
  const paths = (await listSource(projectFolder)).filter((path) =>
    /^src\/(?!messaging\/).*\.tsx?$/.test(path),
  );
  const sources = await Promise.all(paths.map(read));
  const imports = /import (?:type )?\{([^}]*)\} from '[^']*\/messaging\/[^']*'/g;
  const lists = sources.flatMap((source) => Array.from(source.matchAll(imports), ([, list = '']) => list));
  const names = new Set(lists.join().match(/\b(?!type\b)\w+/g));

  expect([...names].filter((name) => !new RegExp(`\\b${name}\\b`).test(reference))).toEqual([]);
  expect(names.size).toBeGreaterThan(0);
});

function read(path: string): Promise<string> {
  return readFile(join(projectFolder, path), 'utf8');
}

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
