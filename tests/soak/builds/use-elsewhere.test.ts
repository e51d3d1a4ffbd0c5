import { exec } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

import project from '../../../package.json' with { type: 'json' };
import { launchExtension } from '../../../scripts/browsers/launch-extension.ts';
import { coreFile } from '../../../scripts/package-core.ts';
import { packagesFolder } from '../../../scripts/package-project.ts';
import { guideBlocks } from '../../docs/guide-blocks.ts';
import { runInCopy } from '../../support/project-copy.ts';
import { createTemporaryFolder, writeFiles } from '../../support/temporary-folder.ts';

const guide = readFileSync('docs/use-elsewhere.md', 'utf8');
const [install = ''] = /^npm install .*/m.exec(guide) ?? [];
const versions: Readonly<Record<string, string>> = { ...project.dependencies, ...project.devDependencies };
const crxConfig = `
  import { crx } from '@crxjs/vite-plugin';
  import manifest from './manifest.json' with { type: 'json' };
  export default { plugins: [crx({ manifest })] };`;

it.each([
  {
    tool: 'Vite and CRXJS',
    blocks: ['src/counter.ts', 'src/popup.ts', 'src/background.ts', 'manifest.json', 'popup.html'],
    packages: ['vite', '@crxjs/vite-plugin', 'typescript'],
    files: {
      'vite.config.js': crxConfig,
      // As `create-vite` 9.3.0 writes it.
      'tsconfig.json': `{ "compilerOptions": { "target": "es2023", "module": "esnext", "lib": ["ES2023", "DOM"],
        "types": ["vite/client"], "skipLibCheck": true, "moduleResolution": "bundler", "verbatimModuleSyntax": true,
        "moduleDetection": "force", "noEmit": true, "erasableSyntaxOnly": true }, "include": ["src"] }`,
    },
    commands: ['vite/bin/vite.js build'],
    build: 'dist',
  },
  {
    tool: 'WXT and React',
    blocks: [
      'src/counter.ts',
      'src/popup.tsx',
      'src/entrypoints/background.ts',
      'src/entrypoints/popup/index.html',
    ],
    packages: ['wxt@0.21.4', 'vite', 'typescript', 'react', 'react-dom', '@types/react', '@types/react-dom'],
    files: {
      'wxt.config.ts':
        "export default { srcDir: 'src', manifest: { name: 'Counter', permissions: ['storage'] } };",
      'tsconfig.json': '{ "extends": "./.wxt/tsconfig.json", "compilerOptions": { "jsx": "react-jsx" } }',
    },
    commands: ['wxt/bin/wxt.mjs prepare', 'wxt/bin/wxt.mjs build'],
    build: '.output/chrome-mv3',
  },
])(
  'the counter of docs/use-elsewhere.md counts every click once while its worker is killed, with $tool',
  async ({ blocks, packages, files, commands, build }) => {
    const folder = await createTemporaryFolder('elsewhere');
    const texts = guideBlocks(guide).filter(({ path }) => blocks.includes(path));
    await writeFiles(folder, {
      'package.json': '{ "type": "module" }',
      ...Object.fromEntries(texts.map(({ path, text }) => [path, text])),
      ...files,
    });
    await installIn(folder, packages);
    const run = (command: string): Promise<string> => {
      const [script = '', ...args] = command.split(' ');
      return runInCopy(folder, join(folder, 'node_modules', script), ...args);
    };
    for (const command of commands) await run(command);

    expect(await run('typescript/bin/tsc')).toBe('');
    const checked = await run('typescript/bin/tsc --skipLibCheck false').catch(String);
    expect(checked).not.toContain('extension-core');
    expect(checked).not.toMatch(/^src/m);
    expect(await countClicks(join(folder, build))).toBe(KILLS * CLICKS + 1);
  },
);

const KILLS = 100;

/** Clicks between two kills. The first is counted before the kill, and the others during it or by the next worker. */
const CLICKS = 3;

/** Clicks, and kills the worker while it counts. Returns the count that another worker then shows. */
async function countClicks(build: string): Promise<number> {
  const extension = await launchExtension('chromium', build);
  onTestFinished(() => extension.close());
  const page = await extension.open('popup.html');
  const click = (times: number): void => {
    for (let time = 0; time < times; time += 1) document.querySelector<HTMLElement>('#add')?.click();
  };
  const count = (): number => Number(document.querySelector('#count')?.textContent || -1);
  const hasCounted = (least: number): boolean =>
    Number(document.querySelector('#count')?.textContent || -1) >= least;

  await page.waitFor(hasCounted, 0);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await page.evaluate(click, CLICKS);
    await page.waitFor(hasCounted, kill * CLICKS + 1);
    await extension.stopWorker();
  }
  // A page shows a change that was made just before the end of a worker when the next one starts.
  await page.evaluate(click, 1);
  await page.waitFor(hasCounted, KILLS * CLICKS + 1);
  await extension.stopWorker();
  await page.reload();
  await page.waitFor(hasCounted, 0);
  return page.evaluate(count);
}

/** Installs the package of the core as the guide says, and other packages, in the version of this project. */
async function installIn(folder: string, packages: readonly string[]): Promise<void> {
  const core = install.replace(/\S+\.tgz/, JSON.stringify(join(packagesFolder, coreFile)));
  const pinned = packages.map((name) => (Object.hasOwn(versions, name) ? `${name}@${versions[name]}` : name));
  await promisify(exec)([core, ...pinned, '--ignore-scripts'].join(' '), { cwd: folder });
}
