import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { createTemporaryFolder } from './create-temporary-folder.ts';

/** Writes an extension for one test into a folder that is removed after it. Takes its files by path, manifest aside. */
export async function writeExtension(
  manifest: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await createTemporaryFolder('extension');
  const all = {
    ...files,
    'manifest.json': JSON.stringify({ manifest_version: 3, version: '1', ...manifest }),
  };
  await Promise.all(
    Object.entries(all).map(async ([path, text]) => {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }),
  );
  return folder;
}
