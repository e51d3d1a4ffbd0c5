import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { ensureBrowser } from '../../scripts/browsers/find-browser.ts';
import { projectFolder } from '../../scripts/project-folder.ts';

/** Before the tests in a browser: it is there or gets installed, and so is the build. Gives what is done after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { browserName } = project.getProvidedContext();
  await ensureBrowser(browserName);
  if (!existsSync(join(projectFolder, 'dist', browserName, 'manifest.json'))) {
    throw new Error(`There is no build for ${browserName}. \`npm run build\` makes one.`);
  }
  const profiles = await mkdtemp(join(tmpdir(), 'extension-profiles-'));
  project.provide('profiles', profiles);
  // A browser that was just ended may write into its profile for a moment more.
  return () => rm(profiles, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
}
