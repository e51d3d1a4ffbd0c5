import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

import type { BrowserName } from './browsers/find-browser.ts';
import { checkBuild } from './check-build.ts';
import { projectFolder } from './project-folder.ts';

/**
 * Builds the extension for production into `dist/<browser>` and returns that folder, which it empties first. Rejects if
 * the build fails, with a `CommandError` if the build must not be shipped.
 *
 * @param commit shown by the view *About*; empty for packages, because a build from the source package cannot know it
 */
export async function buildExtension(browser: BrowserName, commit = ''): Promise<string> {
  const folder = join(projectFolder, 'dist', browser);
  await rm(folder, { recursive: true, force: true });
  // Overrides the shell: with any other value, Vite puts React's development build into the pages.
  process.env['NODE_ENV'] = 'production';
  const define = { 'import.meta.env.COMMIT': JSON.stringify(commit) };
  await build({
    root: projectFolder,
    mode: browser,
    configFile: join(projectFolder, 'scripts/extension.config.ts'),
    configLoader: 'native',
    logLevel: 'warn',
    define,
  });
  await checkBuild(folder, browser);
  return folder;
}
