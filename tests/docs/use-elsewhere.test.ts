import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

import project from '../../package.json' with { type: 'json' };
import { projectFolder } from '../../scripts/project-folder.ts';
import { runInCopy } from '../support/project-copy.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';
import { guideBlocks } from './guide-blocks.ts';

const guide = await readFile(join(projectFolder, 'docs/use-elsewhere.md'), 'utf8');
const packages = Array.from(guide.matchAll(/(\S+)@(\d[\d.]+)/g), ([, name = '', version = '']) => ({
  name,
  version,
}));

it('docs/use-elsewhere.md names the versions that this project uses', () => {
  const versions: Readonly<Record<string, string>> = { ...project.dependencies, ...project.devDependencies };

  expect(packages).not.toEqual([]);
  expect(packages).toEqual(packages.map(({ name }) => ({ name, version: versions[name] })));
});

it('the code of docs/use-elsewhere.md compiles with the files, packages and options that it lists', async () => {
  const folder = await createTemporaryFolder('elsewhere');
  for (const [, path = ''] of guide.matchAll(/`(src\/(?:messaging|platform)\/[\w./-]*)`/g)) {
    await cp(join(projectFolder, path), join(folder, path), { recursive: true });
  }
  for (const { name } of packages) {
    await write(`node_modules/${name}`, (link) =>
      symlink(join(projectFolder, 'node_modules', name), link, 'junction'),
    );
  }
  for (const { path, text } of guideBlocks(guide)) await write(path, (file) => writeFile(file, text));
  const wxt = 'declare function defineBackground(main: () => void): unknown;';
  await write('src/wxt.d.ts', (file) => writeFile(file, wxt));

  // Options that the templates of Vite and WXT share.
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--verbatimModuleSyntax', '--target', 'ES2023'];
  const modules = ['--module', 'ESNext', '--moduleResolution', 'bundler'];
  // Rejects with the compiler's errors.
  expect(await runInCopy(folder, 'typescript/bin/tsc', ...options, ...modules)).toBe('');

  async function write(path: string, create: (file: string) => Promise<void>): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await create(join(folder, path));
  }
});
