import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { packageFile, packagesFolder } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { unpackZip } from './unpack-zip.ts';

/**
 * Unpacks the source package into a new folder of this name, and gives it what `npm ci` installed here: as links, or
 * as copies, which takes half a minute and leaves nothing in the old place.
 */
export async function unpackSource(
  name: string,
  { packages }: { readonly packages: 'linked' | 'copied' } = { packages: 'linked' },
): Promise<string> {
  const folder = await unpackZip(await readFile(join(packagesFolder, packageFile('source'))), name);
  const installed = join(projectFolder, 'node_modules');
  // A folder, as .gitignore has it: a link would be a file of the source.
  await mkdir(join(folder, 'node_modules'));
  for (const entry of await readdir(installed)) {
    const [from, to] = [join(installed, entry), join(folder, 'node_modules', entry)];
    if (packages === 'copied') await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else await symlink(from, to, 'junction');
  }
  return folder;
}
