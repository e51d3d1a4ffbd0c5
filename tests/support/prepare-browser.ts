import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { type BrowserName, ensureBrowser } from '../../scripts/browsers/find-browser.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { testBuilds } from './build-core-extension.ts';

/** Runs before the tests in a browser. Returns the clean-up. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const failure = await prepare(project.getProvidedContext().browserName).catch(String);
  project.provide('browserFailure', failure ?? '');
  const profiles = await mkdtemp(join(tmpdir(), 'extension-profiles-'));
  project.provide('profiles', profiles);
  return async () => {
    // A browser may write into its profile for a moment after it was ended.
    await rm(profiles, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    await rm(join(testBuilds, basename(profiles)), { recursive: true, force: true });
  };
}

/** Installs the browser if it is missing, and requires a build, so that each test need not fail slowly. */
async function prepare(browserName: BrowserName): Promise<void> {
  const build = join(projectFolder, 'dist', browserName);
  if (!existsSync(join(build, 'manifest.json'))) {
    throw new Error(`There is no build for ${browserName}. \`npm run build\` makes one.`);
  }
  await ensureBrowser(browserName);
}
