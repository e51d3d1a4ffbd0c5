import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { onTestFinished } from 'vitest';

/** A new folder for one test, whose name begins with this one, removed after it with all that is in it. */
export async function createTemporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  // A server or browser that was just closed may write into it for a moment more.
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

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
