import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

import { launchExtension } from '../../scripts/browsers/launch-extension.ts';
import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import type { Messages } from '../../scripts/plugins/translate-with.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { pages } from '../../src/contract/pages.ts';
import { buildCoreExtension } from './build-core-extension.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

export interface OwnBrowser extends RunningExtension {
  /** Folder of the profile. */
  readonly profile: string;
  /**
   * Ends the browser and starts it again with the same profile. The object that was called is of no use afterwards.
   *
   * @param between is called when the browser is gone and not yet there again
   */
  restart(between?: (profile: string) => Promise<void>): Promise<OwnBrowser>;
}

const productionBuild = (): string => join(projectFolder, 'dist', inject('browserName'));

/** The browser that an earlier test of this process has left. Its start is what a test in a browser takes longest for. */
let idle: RunningExtension | undefined;

/**
 * Gives the production build, or the extension in another folder, in the browser of this suite, as newly installed. To be
 * called in a test, after which it is removed; the browser is kept for other tests, unless this one has failed.
 */
export async function launchBuiltExtension(folder = productionBuild()): Promise<RunningExtension> {
  // Chromium names an extension after its folder, and deletes what it stored some time after it was removed.
  const isShared = folder.startsWith(projectFolder);
  const own = isShared && inject('browserName') === 'chromium' ? await copyExtension(folder) : folder;
  const before = idle;
  idle = undefined;
  const running =
    before === undefined
      ? await launchExtension(inject('browserName'), own, {
          profile: await mkdtemp(join(inject('profiles'), 'shared-')),
        })
      : await before.replace(own);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'pass' && idle === undefined) idle = running;
    else await running.close();
  });
  return running;
}

/**
 * Starts a browser that this test alone has, with a profile of its own: to be ended, started again or broken.
 *
 * @param profiles folder for the profile
 */
export async function launchOwnBrowser(
  folder = productionBuild(),
  profiles: string = inject('profiles'),
): Promise<OwnBrowser> {
  const profile = await mkdtemp(join(profiles, 'own-'));
  let running: RunningExtension | undefined;
  onTestFinished(async () => {
    await running?.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const launch = async (): Promise<OwnBrowser> => {
    running = await launchExtension(inject('browserName'), folder, { profile });
    const { close } = running;
    return {
      ...running,
      profile,
      async restart(between = async () => {}) {
        await close();
        await between(profile);
        return launch();
      },
    };
  };
  return launch();
}

/** Starts the browser of this suite with the extension that has the core's adapters and no core, and opens its options page. */
export async function launchWires(): Promise<{ readonly extension: RunningExtension; readonly page: View }> {
  const source = join(projectFolder, 'tests/support/wire-extension');
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName'), source));
  return { extension, page: await extension.open('options.html') };
}

/** What is put into the watched extension that does not belong there. */
interface Intruder {
  /** Source of a content script for all frames on pages of the loopback address. */
  readonly contentScript?: string;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Builds the core's test extension that watches its worker, for the browser of this suite. Gives its folder. */
export async function buildWatchedExtension({ contentScript, files = {} }: Intruder = {}): Promise<string> {
  const source = join(projectFolder, 'tests/support/watched-extension');
  const pristine = await buildCoreExtension(inject('browserName'), source);
  if (contentScript === undefined && Object.keys(files).length === 0) return pristine;

  const folder = await createTemporaryFolder('watched');
  await cp(pristine, folder, { recursive: true });
  const all = contentScript === undefined ? files : { ...files, 'content.js': contentScript };
  await Promise.all(Object.entries(all).map(([path, text]) => writeFile(join(folder, path), text)));
  if (contentScript === undefined) return folder;

  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  const scripts = [{ matches: ['http://127.0.0.1/*'], js: ['content.js'], all_frames: true }];
  await writeFile(path, JSON.stringify({ ...manifest, content_scripts: scripts }));
  return folder;
}

/** A copy of the production build for one test to change, removed after it. Gives its folder. */
export const copyBuiltExtension = (): Promise<string> => copyExtension(productionBuild());

async function copyExtension(source: string): Promise<string> {
  const folder = await createTemporaryFolder('extension');
  await cp(source, folder, { recursive: true });
  return folder;
}

/** The built extension with, as the real one never has, a content script on pages of the loopback address. */
export async function withContentScript(script: string): Promise<string> {
  const folder = await copyBuiltExtension();
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as object;
  const contentScripts = [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }];
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ ...manifest, content_scripts: contentScripts }),
  );
  await writeFile(join(folder, 'content.js'), script);
  return folder;
}

/**
 * Adds a language to a build, which takes one file. The browsers of the tests use American English, so it is added under that
 * name: the browsers choose it instead of the build's English.
 */
export async function withLanguage(folder: string, messages: Messages): Promise<string> {
  const locale = join(folder, '_locales', 'en_US');
  await mkdir(locale, { recursive: true });
  await writeFile(join(locale, 'messages.json'), JSON.stringify(messages));
  return folder;
}

/** The built extension with a script that runs in its popup before everything else, to watch it from the beginning. */
export async function withPopupScript(script: string): Promise<string> {
  const folder = await copyBuiltExtension();
  await writeFile(join(folder, 'watch.js'), script);
  const page = join(folder, pages.popup);
  const html = await readFile(page, 'utf8');
  await writeFile(page, html.replace('<head>', '<head><script src="/watch.js"></script>'));
  return folder;
}

/** The built extension with a script that runs in its worker before everything else, to make it misbehave. */
export async function withWorkerPrelude(script: string): Promise<string> {
  const folder = await copyBuiltExtension();
  const worker = join(folder, 'worker.js');
  await writeFile(worker, `${script}\n${await readFile(worker, 'utf8')}`);
  return folder;
}

/** Writes an extension for one test into a folder that is removed after it. Takes its files by path, manifest aside. */
export async function writeExtension(
  manifest: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await createTemporaryFolder('extension');
  const all = {
    ...files,
    'manifest.json': JSON.stringify({ manifest_version: 3, version: '1', ...manifest }),
  };
  await Promise.all(
    Object.entries(all).map(async ([path, text]) => {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }),
  );
  return folder;
}
