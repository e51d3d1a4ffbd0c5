import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import manifest from '../../manifest.json' with { type: 'json' };
import { browserNames } from '../browsers/browser-name.ts';
import { buildExtension } from '../build-extension.ts';
import { readBuiltExtension } from '../gates/built-extension.ts';
import { projectFolder } from '../project-folder.ts';
import { createZip } from './create-zip.ts';
import { runGit } from './run-git.ts';

export interface Package {
  readonly file: string;
  /** SHA-256, in hexadecimal. */
  readonly checksum: string;
}

/**
 * Writes a zip for each browser's store, one of the source, and their checksums into `dist/packages`. The source is what
 * git has of the files as they are.
 */
export async function packageProject(): Promise<Package[]> {
  const folder = join(projectFolder, 'dist/packages');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  const packages: Package[] = [];
  const add = async (kind: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> => {
    const zip = createZip(files);
    const file = `nine-points-${manifest.version}-${kind}.zip`;
    await writeFile(join(folder, file), zip);
    packages.push({ file, checksum: createHash('sha256').update(zip).digest('hex') });
  };

  for (const browser of browserNames) {
    const { files } = await readBuiltExtension(await buildExtension(browser));
    await add(browser, files);
  }
  await add('source', await readSource());
  const sums = packages.map(({ file, checksum }) => `${checksum}  ${file}\n`);
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
  return packages;
}

async function readSource(): Promise<ReadonlyMap<string, Uint8Array>> {
  const listed = await runGit('ls-files', '-z');
  const paths = listed.split('\0').filter((path) => path !== '');
  const files = await Promise.all(
    paths.map(async (path) => [path, await readFile(join(projectFolder, path))] as const),
  );
  return new Map(files);
}
