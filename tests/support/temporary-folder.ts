import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { onTestFinished } from 'vitest';

/** Creates a folder whose name begins with `name`, and removes it with its contents after the test. */
export async function createTemporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  // A server or a browser may write into it for a moment after it was closed.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

/** Unpacks a zip into a new folder of this name, and removes the folder after the test. */
export async function unpackZip(zip: Uint8Array, name: string): Promise<string> {
  const folder = join(await createTemporaryFolder('unpacked'), name);
  await writeFiles(folder, unzipSync(zip));
  return folder;
}

/** The contents of files by path, or functions that change the present contents. */
export type Files = Readonly<Record<string, string | Uint8Array | ((text: string) => string)>>;

/** Writes files into a folder. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, change] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof change === 'function' ? change(await readFile(file, 'utf8')) : change);
  }
}
