import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes an extension for one test into a folder that is removed after it. Takes its files by path, manifest aside. */
export async function writeExtension(
  manifest: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'extension-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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
