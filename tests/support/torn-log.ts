import { readdir, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of a block, and of the header of a record in it: google/leveldb, doc/log_format.md. */
const BLOCK = 32 * 1024;
const HEADER = 7;

/** What is a record, or the last part of one. */
const WHOLE = new Set([1, 4]);

/**
 * Whether the database of `storage.local` in a profile of Chromium ends within a record, as when its writer was killed in
 * the middle of one. Chromium goes on writing behind it, and loses that at the next start (google/leveldb#1287).
 */
export async function hasTornLog(profile: string): Promise<boolean> {
  const logs = await Promise.all((await logsIn(profile)).map((path) => readFile(path)));
  return logs.some(endsTorn);
}

/** Cuts the last bytes off, as a kill does that comes in the middle of a write. */
export async function tearLog(profile: string): Promise<void> {
  const log = (await logsIn(profile)).find((path) => path.endsWith('.log'));
  if (log === undefined) throw new Error(`There is no log in ${profile}`);
  await truncate(log, (await stat(log)).size - 3);
}

async function logsIn(profile: string): Promise<string[]> {
  const folder = join(profile, 'Default', 'Local Extension Settings');
  const paths = await readdir(folder, { recursive: true }).catch(() => []);
  return paths.filter((path) => /\.log$|MANIFEST-\d+$/.test(path)).map((path) => join(folder, path));
}

function endsTorn(log: Buffer): boolean {
  let isWhole = true;
  let at = 0;
  while (at < log.length) {
    const left = BLOCK - (at % BLOCK);
    if (left < HEADER) {
      at += left;
      continue;
    }
    if (at + HEADER > log.length) return true;
    isWhole = WHOLE.has(log.readUInt8(at + 6));
    at += HEADER + log.readUInt16LE(at + 4);
  }
  return at > log.length || !isWhole;
}
