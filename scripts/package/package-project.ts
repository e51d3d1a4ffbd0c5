import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { browserNames } from '../browsers/browser-name.ts';
import { buildExtension } from '../build-extension.ts';
import { projectFolder } from '../project-folder.ts';
import { createZip } from './create-zip.ts';
import { listSource } from './list-source.ts';
import { packBuild } from './pack-build.ts';
import { packageFile, packagesFolder } from './package-file.ts';

export interface Package {
  readonly file: string;
  /** SHA-256, in hexadecimal. */
  readonly checksum: string;
}

/** Writes a zip for each browser's store, one of the source, and their checksums into `dist/packages`. */
export async function packageProject(): Promise<Package[]> {
  await rm(packagesFolder, { recursive: true, force: true });
  await mkdir(packagesFolder, { recursive: true });

  const packages: Package[] = [];
  const add = async (kind: Parameters<typeof packageFile>[0], zip: Uint8Array): Promise<void> => {
    const file = packageFile(kind);
    await writeFile(join(packagesFolder, file), zip);
    packages.push({ file, checksum: createHash('sha256').update(zip).digest('hex') });
  };

  for (const browser of browserNames)
    await add(browser, await packBuild(await buildExtension(browser), browser));
  await add('source', await packSource());
  const sums = packages.map(({ file, checksum }) => `${checksum}  ${file}\n`);
  await writeFile(join(packagesFolder, 'SHA256SUMS'), sums.join(''));
  return packages;
}

async function packSource(): Promise<Uint8Array> {
  const paths = await listSource(projectFolder);
  const files = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(projectFolder, path))] as const),
  );
  return createZip(new Map(files));
}
