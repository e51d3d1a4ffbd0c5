import { existsSync } from 'node:fs';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { ensureBrowser } from '../../scripts/browsers/find-browser.ts';
import { projectFolder } from '../../scripts/project-folder.ts';

/** Before the tests in a browser: it is there or gets installed, and so is the build. */
export async function setup(project: TestProject): Promise<void> {
  const { browserName } = project.getProvidedContext();
  await ensureBrowser(browserName);
  if (existsSync(join(projectFolder, 'dist', browserName, 'manifest.json'))) return;
  throw new Error(`There is no build for ${browserName}. \`npm run build\` makes one.`);
}
