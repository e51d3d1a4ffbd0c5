import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';
import { unpackPackage } from './unpack-package.ts';

/** Unpacks the source package into a new folder of this name, and gives it what `npm ci` installed here. */
export async function unpackSource(name: string): Promise<string> {
  const folder = await unpackPackage('source', name);
  const installed = join(projectFolder, 'node_modules');
  // A folder, as .gitignore has it: a link would be a file of the source.
  await mkdir(join(folder, 'node_modules'));
  for (const entry of await readdir(installed)) {
    await symlink(join(installed, entry), join(folder, 'node_modules', entry), 'junction');
  }
  return folder;
}
