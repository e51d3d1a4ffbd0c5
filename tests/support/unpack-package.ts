import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { unzipSync } from 'fflate';

import { packageFile, packagesFolder } from '../../scripts/package-project.ts';
import { createTemporaryFolder } from './create-temporary-folder.ts';

/** Unpacks what `npm run package` wrote into a new folder of this name, gone when the test is over. */
export async function unpackPackage(
  kind: Parameters<typeof packageFile>[0],
  name: string = kind,
): Promise<string> {
  const parent = await createTemporaryFolder('unpacked');
  const files = unzipSync(await readFile(join(packagesFolder, packageFile(kind))));
  for (const [path, bytes] of Object.entries(files)) {
    const file = join(parent, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  return join(parent, name);
}
