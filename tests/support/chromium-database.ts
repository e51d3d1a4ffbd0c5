import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether Chromium has repaired the database of `storage.local` when it was opened last, as the database notes itself.
 * It does so when it reads behind a write that was cut short, and may lose what was written afterwards (docs/pitfalls.md).
 */
export async function wasRepaired(profile: string): Promise<boolean> {
  const notes = (await filesIn(profile)).filter((path) => path.endsWith('/LOG.old'));
  const texts = await Promise.all(notes.map((path) => readFile(path, 'utf8')));
  return texts.some((text) => text.includes('Repaired leveldb'));
}

/** Cuts the last bytes off what was written last, as a kill does that comes in the middle of a write. */
export async function tearLog(profile: string): Promise<void> {
  const log = (await filesIn(profile)).find((path) => path.endsWith('.log'));
  if (log === undefined) throw new Error(`There is no log in ${profile}`);
  await truncate(log, (await stat(log)).size - 3);
}

async function filesIn(profile: string): Promise<string[]> {
  const folder = join(profile, 'Default', 'Local Extension Settings');
  const paths = await readdir(folder, { recursive: true }).catch(() => []);
  return paths.map((path) => join(folder, path));
}
