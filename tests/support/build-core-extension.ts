import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { build, type Plugin } from 'vite';

import type { BrowserName } from '../../scripts/browsers/find-browser.ts';
import { buildTarget } from '../../scripts/build-target.ts';
import { projectFolder } from '../../scripts/project-folder.ts';

/** The folder for the extensions that tests build. */
export const testBuilds = join(projectFolder, 'dist/test-builds');

/** Builds of this process, by name. */
const built = new Map<string, Promise<string>>();

interface CoreExtensionOptions {
  /** Plugins of the build. Their names are part of the folder's name. */
  readonly plugins?: readonly Plugin[];
  /** Permissions in addition to `storage`. */
  readonly permissions?: readonly string[];
  /** Patterns of the hosts that the extension may send requests to. */
  readonly hosts?: readonly string[];
}

/**
 * Builds an extension that consists of the real messaging core, the real adapters and a contract for tests. With it, tests
 * show in a browser that the core keeps its promises. Returns its folder, which later tests of this process share.
 *
 * @param source folder with the extension's `worker.ts`, `page.ts` and, if it has a content script for all frames of sites
 * under `.test`, `content.ts`
 */
export function buildCoreExtension(
  browser: BrowserName,
  source: string,
  options: CoreExtensionOptions = {},
): Promise<string> {
  const { plugins = [] } = options;
  // Suites run at the same time, each in its own process.
  const name = [basename(source), ...plugins.map((plugin) => plugin.name), browser, process.pid].join('-');
  const building = built.get(name) ?? buildInto(join(testBuilds, name), browser, source, options);
  built.set(name, building);
  return building;
}

async function buildInto(
  folder: string,
  browser: BrowserName,
  source: string,
  { plugins = [], permissions = [], hosts = [] }: CoreExtensionOptions,
): Promise<string> {
  await rm(folder, { recursive: true, force: true });
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
  const files = { 'popup.html': page, 'options.html': page, 'manifest.json': JSON.stringify(manifest) };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return folder;
}
