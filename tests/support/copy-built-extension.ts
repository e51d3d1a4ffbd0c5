import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { createTemporaryFolder } from './create-temporary-folder.ts';

/** A copy of the production build for one test to change, removed after it. Gives its folder. */
export async function copyBuiltExtension(): Promise<string> {
  const folder = await createTemporaryFolder('extension');
  await cp(join(projectFolder, 'dist', inject('browserName')), folder, { recursive: true });
  return folder;
}
