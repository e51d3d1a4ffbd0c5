import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { build, type Plugin } from 'vite';

import type { BrowserName } from '../../scripts/browsers/find-browser.ts';
import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { buildTarget } from '../../scripts/build-target.ts';
import { projectFolder } from '../../scripts/project-folder.ts';

/** The folder for the extensions that tests build. */
export const testBuilds = join(projectFolder, 'dist/test-builds');

/** Keeps the state of an extension in IndexedDB. */
export const indexedDb: Plugin = {
  name: 'indexed-db',
  config: () => ({ define: { IS_INDEXED_DB: 'true' } }),
};

interface CoreExtensionOptions {
  /** Plugins of the build. Their names are part of the folder's name. */
  readonly plugins?: readonly Plugin[];
  /** Permissions in addition to `storage`. */
  readonly permissions?: readonly string[];
  /** Patterns of the hosts that the extension may send requests to. */
  readonly hosts?: readonly string[];
  /** Name of the run whose processes share the build. By default, this process builds its own. */
  readonly run?: string;
}

/**
 * Builds an extension that consists of the real messaging core, the real adapters and a contract for tests. With it, tests
 * show in a browser that the core keeps its promises. Returns its folder.
 *
 * @param source folder with the extension's `worker.ts`, `page.ts` and, if it has a content script for all frames of sites
 * under `.test`, `content.ts`
 */
export async function buildCoreExtension(
  browser: BrowserName,
  source: string,
  { run = `${process.pid}-${Date.now()}`, ...options }: CoreExtensionOptions = {},
): Promise<string> {
  const { plugins = [] } = options;
  const name = [basename(source), ...plugins.map((plugin) => plugin.name), browser].join('-');
  const folder = join(testBuilds, run, name);
  await mkdir(dirname(folder), { recursive: true });
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) await buildInto(folder, browser, source, options);
  // The manifest comes last.
  else await pollUntil(async () => existsSync(join(folder, 'manifest.json')), `${name} to be built`);
  return folder;
}

async function buildInto(
  folder: string,
  browser: BrowserName,
  source: string,
  { plugins = [], permissions = [], hosts = [] }: CoreExtensionOptions,
): Promise<void> {
  for (const entry of ['worker', 'page', 'content']) {
    if (!existsSync(join(source, `${entry}.ts`))) continue;
    await build({
      configFile: false,
      logLevel: 'error',
      plugins: [...plugins],
      build: {
        target: buildTarget,
        outDir: folder,
        emptyOutDir: false,
        modulePreload: false,
        rolldownOptions: {
          input: join(source, `${entry}.ts`),
          output: {
            entryFileNames: '[name].js',
            codeSplitting: false,
            // The worker and the content script are classic scripts, as in the production build.
            ...(entry !== 'page' && { format: 'iife' as const, strict: true }),
          },
        },
      },
    });
  }

  const page = '<!doctype html><title>starting</title><script type="module" src="page.js"></script>';
  const manifest = {
    manifest_version: 3,
    name: 'Messaging core',
    version: '1',
    permissions: ['storage', ...permissions],
    host_permissions: hosts,
    action: { default_popup: 'popup.html' },
    background: browser === 'firefox' ? { scripts: ['worker.js'] } : { service_worker: 'worker.js' },
    ...(existsSync(join(source, 'content.ts')) && {
      content_scripts: [
        {
          matches: ['http://*.test/*'],
          js: ['content.js'],
          all_frames: true,
          match_about_blank: true,
          match_origin_as_fallback: true,
        },
      ],
    }),
    browser_specific_settings: { gecko: { id: 'core@extension.invalid' } },
  };
  const files = { 'popup.html': page, 'options.html': page, 'new.json': JSON.stringify(manifest) };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  await rename(join(folder, 'new.json'), join(folder, 'manifest.json'));
}
