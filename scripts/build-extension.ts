import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

import type { BrowserName } from './browsers/browser-name.ts';
import { checkBuild } from './gates/check-build.ts';
import { projectFolder } from './project-folder.ts';

/**
 * Builds the extension for production into `dist/<browser>` and returns that folder. Rejects when the build fails, with
 * `BuildRefused` when it must not be shipped, and leaves no older build behind.
 */
export async function buildExtension(browser: BrowserName): Promise<string> {
  const folder = join(projectFolder, 'dist', browser);
  await rm(folder, { recursive: true, force: true });
  // Whatever the shell says: with another value, Vite puts React's development build into the pages.
  process.env['NODE_ENV'] = 'production';
  await build({ root: projectFolder, mode: browser, logLevel: 'warn' });
  await checkBuild(folder, browser);
  return folder;
}
