import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

import { buildExtension } from '../../../scripts/build-extension.ts';
import { projectFolder, testBuilds } from '../../../scripts/project-folder.ts';
import { specGapsPlugin } from '../../../scripts/spec-gaps/spec-gaps-plugin.ts';
import { pages } from '../../../src/contract/pages.ts';
import type { PageExtension } from './page-extension.ts';

/** Those whose popups are measured beside each other, each as it would be shipped. */
interface PageExtensions {
  /** This one. */
  readonly own: PageExtension;
  /** Its first frame and its styles without any script. */
  readonly still: PageExtension;
  /** A popup of the same look as Vite and React are used without more. */
  readonly plain: PageExtension;
}

const PAGE = pages.popup;

export async function buildPageExtensions(): Promise<PageExtensions> {
  const folder = await buildExtension('chromium');
  const own = { name: 'popup', folder, page: PAGE, waker: PAGE };
  return { own, still: await buildStatic(folder), plain: await buildPlain() };
}

async function buildStatic(own: string): Promise<PageExtension> {
  const folder = await startFolder('static-extension');
  const html = await readFile(join(own, PAGE), 'utf8');
  await Promise.all([
    writeFile(join(folder, 'popup.html'), html.replaceAll(/<script.*?<\/script>/gsu, '')),
    writeFile(join(folder, 'waker.html'), '<!doctype html><script src="page.js"></script>'),
  ]);
  await bundle('static-extension/page.ts', folder);
  return { name: 'static page', folder, page: 'popup.html', waker: 'waker.html' };
}

async function buildPlain(): Promise<PageExtension> {
  const folder = await startFolder('plain-extension');
  const root = join(projectFolder, 'tests/bench/plain-extension');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), specGapsPlugin()],
    build: { outDir: folder, emptyOutDir: false, rolldownOptions: { input: join(root, 'popup.html') } },
  });
  return { name: 'plain React', folder, page: 'popup.html', waker: 'popup.html' };
}

async function startFolder(name: string): Promise<string> {
  const folder = join(testBuilds, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const manifest = {
    manifest_version: 3,
    name,
    version: '1',
    action: { default_popup: 'popup.html' },
    background: { service_worker: 'worker.js' },
  };
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest));
  // One worker for both: it answers at once.
  await bundle('plain-extension/worker.ts', folder);
  return folder;
}

/** One script of its own beside the manifest. */
async function bundle(entry: string, folder: string): Promise<void> {
  await build({
    root: projectFolder,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(projectFolder, 'tests/bench', entry),
        output: { entryFileNames: '[name].js', format: 'iife', strict: true },
      },
    },
  });
}
