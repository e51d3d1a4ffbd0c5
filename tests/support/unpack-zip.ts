import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { unzipSync } from 'fflate';

import { createTemporaryFolder } from './create-temporary-folder.ts';

/** Unpacks a zip into a new folder of this name, gone when the test is over. */
export async function unpackZip(zip: Uint8Array, name: string): Promise<string> {
  const folder = join(await createTemporaryFolder('unpacked'), name);
  for (const [path, bytes] of Object.entries(unzipSync(zip))) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  return folder;
}
