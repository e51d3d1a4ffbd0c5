import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { unzipSync } from 'fflate';
import { onTestFinished } from 'vitest';

import { packageFile, packagesFolder } from '../../scripts/package/package-file.ts';

/** Unpacks what `npm run package` wrote into a new folder of this name, gone when the test is over. */
export async function unpackPackage(
  kind: Parameters<typeof packageFile>[0],
  name: string = kind,
): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'unpacked-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const files = unzipSync(await readFile(join(packagesFolder, packageFile(kind))));
  for (const [path, bytes] of Object.entries(files)) {
    const file = join(parent, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  return join(parent, name);
}
