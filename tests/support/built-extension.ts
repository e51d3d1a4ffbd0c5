import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plugin } from 'vite';
import { expect, inject, onTestFinished, vi } from 'vitest';

import { launchExtension } from '../../scripts/browsers/launch-extension.ts';
import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { CommandError } from '../../scripts/command.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension, indexedDb } from './build-core-extension.ts';
import { createTemporaryFolder, type Files, writeFiles } from './temporary-folder.ts';

export interface OwnBrowser extends RunningExtension {
  /** Folder of the profile. */
  readonly profile: string;
  /**
   * Ends the browser and starts it again with the same profile. Use the returned object afterwards, not this one.
   *
   * @param between called after the browser has ended and before it starts again
   */
  restart(between?: (profile: string) => Promise<void>): Promise<OwnBrowser>;
}

const productionBuild = (): string => join(projectFolder, 'dist', inject('browserName'));

/** The browser that an earlier test of this process has left running. To start one takes longer than most tests. */
let idle: RunningExtension | undefined;

/**
 * Installs the production build, or the extension in another folder, in the browser of this suite. Call it in a test. After
 * the test the extension is replaced or removed, and the browser is kept for other tests, unless this test has failed.
 */
export async function launchBuiltExtension(folder = productionBuild()): Promise<RunningExtension> {
  // Chromium derives an extension's id from its folder, and deletes its stored data some time after it was removed. A new
  // folder is therefore a new extension.
  const isShared = folder.startsWith(projectFolder);
  const own =
    isShared && inject('browserName') === 'chromium' ? await copyBuiltExtension({}, folder) : folder;
  const before = idle;
  idle = undefined;
  const running = before
    ? await before.replace(own)
    : await start(own, await mkdtemp(join(inject('profiles'), 'shared-')));
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'pass' && idle === undefined) idle = running;
    else await closeAfterFailure(running);
  });
  return running;
}

/** The error of a browser that cannot be started. It is not tried again, because that takes minutes for each test. */
let startError: CommandError | undefined;

async function start(folder: string, profile: string): Promise<RunningExtension> {
  if (startError) throw startError;
  return launchExtension(inject('browserName'), folder, { profile }).catch((error: unknown) => {
    if (error instanceof CommandError) startError = error;
    throw error;
  });
}

/** Prints what the console of a browser says, unless it does not answer, and closes the browser. */
async function closeAfterFailure(running: RunningExtension): Promise<void> {
  const silence = sleep(5_000, [], { ref: false });
  const entries = await Promise.race([running.readConsole(), silence]).catch(() => []);
  for (const { text } of entries) console.error(`The extension logged: ${text}`);
  await running.close();
}

/**
 * Starts a browser with a new profile for this test alone, which may end it, restart it or damage its profile.
 *
 * @param profiles folder for the profile
 */
export async function launchOwnBrowser(
  folder = productionBuild(),
  profiles: string = inject('profiles'),
): Promise<OwnBrowser> {
  const profile = await mkdtemp(join(profiles, 'own-'));
  let running: RunningExtension | undefined;
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'pass') await running?.close();
    else if (running) await closeAfterFailure(running);
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  const launch = async (): Promise<OwnBrowser> => {
    running = await start(folder, profile);
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

/** Waits until an entry of `localStorage` is in the profile. A browser that ends earlier may lose it, which Chromium did. */
export async function untilWritten({ profile }: OwnBrowser, key: string, value: string): Promise<void> {
  if (inject('browserName') !== 'chromium') return;
  const folder = join(profile, 'Default/Local Storage/leveldb');
  await vi.waitFor(
    async () => {
      const names = await readdir(folder);
      const files = await Promise.all(names.map(async (name) => readFile(join(folder, name), 'latin1')));
      expect(files.join('\n')).toMatch(new RegExp(`${key}.{1,8}${value}`, 's'));
    },
    { timeout: 60_000, interval: 200 },
  );
}

/** The extensions in this folder whose names end in `-extension`, and their rights in addition to `storage`. */
const testExtensions = {
  content: {
    permissions: ['scripting', 'cookies', 'contextualIdentities'],
    hosts: ['http://*.test/*'],
  },
  core: { permissions: ['alarms'], hosts: ['http://127.0.0.1/*'] },
  facts: {},
  wire: {},
};

/** Builds a test extension for the browser of this suite. Returns its folder. */
export function buildTestExtension(
  name: keyof typeof testExtensions,
  plugins: readonly Plugin[] = [],
): Promise<string> {
  const source = join(projectFolder, `tests/support/${name}-extension`);
  const run = basename(inject('profiles'));
  return buildCoreExtension(inject('browserName'), source, { plugins, run, ...testExtensions[name] });
}

/** Builds and starts a test extension. */
export async function launchTestExtension(
  ...build: Parameters<typeof buildTestExtension>
): Promise<RunningExtension> {
  return launchBuiltExtension(await buildTestExtension(...build));
}

/** The stores of a test extension, and the plugins of its build. */
export const stores = [
  ['storage.local', []],
  ['IndexedDB', [indexedDb]],
] as const satisfies readonly (readonly [store: string, plugins: readonly Plugin[]])[];

/** Copies the production build, or another one, and changes the copy. Returns its folder, which is removed after the test. */
export async function copyBuiltExtension(changes: Files = {}, source = productionBuild()): Promise<string> {
  const folder = await createTemporaryFolder('extension');
  await cp(source, folder, { recursive: true });
  await writeFiles(folder, changes);
  return folder;
}

/** Copies the production build, and adds a content script for pages of the loopback address. Returns the folder. */
export function withContentScript(script: string): Promise<string> {
  const scripts = [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }];
  return copyBuiltExtension({
    'manifest.json': (text) => JSON.stringify({ ...(JSON.parse(text) as object), content_scripts: scripts }),
    'content.js': script,
  });
}

/** Writes an extension into a folder that is removed after the test. Returns the folder. */
export async function writeExtension(
  manifest: Readonly<Record<string, unknown>>,
  files: Files,
): Promise<string> {
  const folder = await createTemporaryFolder('extension');
  const whole = JSON.stringify({ manifest_version: 3, version: '1', ...manifest });
  await writeFiles(folder, { ...files, 'manifest.json': whole });
  return folder;
}
