import { allFilesReady } from '@crxjs/vite-plugin';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type ViteDevServer } from 'vite';

import { launchChromium } from '../browsers/launch-chromium.ts';
import type { RunningExtension } from '../browsers/running-extension.ts';
import { projectFolder } from '../project-folder.ts';
import { reopenPages } from './reopen-pages.ts';
import { stopRequest } from './stop-request.ts';
import { withProfile } from './with-profile.ts';

/** Opens Chromium on Vite's dev server, with hot reload, until the person closes it or asks to stop. */
export async function developInChromium(executable: string): Promise<void> {
  const stopped = stopRequest();
  const folder = join(projectFolder, 'dist', 'dev-chromium');
  await rm(folder, { recursive: true, force: true });

  const server = await createServer({ root: projectFolder, mode: 'chromium' });
  try {
    await server.listen();
    await allFilesReady();
    await withProfile(async (profile) => {
      const options = { executable, extension: folder, profile, headless: false, exitOnSignal: false };
      const extension = await launchChromium(options);
      await extension.open('src/options/index.html');
      reopenAfterReloads(server, extension);
      console.log(`${extension.version}: changes in src/ show at once. Stop with Ctrl-C.`);

      await Promise.race([stopped, extension.closed]);
      await extension.close();
    });
  } finally {
    await server.close();
  }
}

/** A change in the worker makes CRXJS reload the extension, a moment after the change. */
function reopenAfterReloads(server: ViteDevServer, extension: RunningExtension): void {
  let isWatching = false;

  async function onChange(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    try {
      const pages = await extension.openPages();
      await sleep(2_000);
      await reopenPages(extension, pages);
    } catch (error) {
      console.error(String(error));
    } finally {
      isWatching = false;
    }
  }
  server.watcher.on('change', () => void onChange());
}
