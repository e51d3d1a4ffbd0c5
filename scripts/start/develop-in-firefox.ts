import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { launchFirefox } from '../browsers/launch-firefox.ts';
import type { RunningExtension } from '../browsers/running-extension.ts';
import { projectFolder } from '../project-folder.ts';
import { reopenPages } from './reopen-pages.ts';
import { stopRequest } from './stop-request.ts';
import { watchBuild } from './watch-build.ts';
import { withProfile } from './with-profile.ts';

/**
 * Opens Firefox with a build that is made and installed again after every change, until the person closes it or asks
 * to stop. Vite's dev server, which would show changes at once, does not work for extensions in Firefox.
 */
export async function developInFirefox(executable: string): Promise<void> {
  const stopped = stopRequest();
  const folder = join(projectFolder, 'dist', 'dev-firefox');
  await rm(folder, { recursive: true, force: true });

  let extension: RunningExtension | undefined;
  // One after the other, and none before Firefox has started.
  let reinstalled = Promise.resolve();
  let isStale = false;
  const reinstallIfStale = (): void => {
    const running = extension;
    if (!running || !isStale) return;
    isStale = false;
    reinstalled = reinstalled.then(() => reinstall(running, folder));
  };
  let markBuilt: (() => void) | undefined;
  const firstBuild = new Promise<void>((resolve) => {
    markBuilt = resolve;
  });
  const watch = await watchBuild({
    mode: 'firefox',
    folder,
    onBuilt() {
      markBuilt?.();
      isStale = true;
      reinstallIfStale();
    },
  });
  try {
    // The first build may fail, and then waits for a change that mends it.
    const isBuilt = await Promise.race([firstBuild.then(() => true), stopped.then(() => false)]);
    if (!isBuilt) return;

    await withProfile(async (profile) => {
      const options = { executable, extension: folder, profile, headless: false, exitOnSignal: false };
      isStale = false;
      extension = await launchFirefox(options);
      await extension.open('src/options/index.html');
      // Built again while Firefox was starting.
      reinstallIfStale();
      console.log(`${extension.version}: changes in src/ are built and installed again. Stop with Ctrl-C.`);

      await Promise.race([stopped, extension.closed]);
      await extension.close();
    });
  } finally {
    await watch.close();
  }
}

async function reinstall(extension: RunningExtension, folder: string): Promise<void> {
  try {
    const pages = await extension.openPages();
    await extension.installExtension(folder);
    await reopenPages(extension, pages);
    console.log('Built and installed again.');
  } catch (error) {
    console.error(`The new build could not be installed: ${String(error)}`);
  }
}
