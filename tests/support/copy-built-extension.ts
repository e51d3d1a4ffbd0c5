import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';

/** A copy of the production build for one test to change, removed after it. Gives its folder. */
export async function copyBuiltExtension(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'extension-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(projectFolder, 'dist', inject('browserName')), folder, { recursive: true });
  return folder;
}
