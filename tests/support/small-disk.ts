import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, stat, statfs, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);

/** Returns `true` if a disk can be mounted here: on Linux, as root. */
export async function canMountDisk(): Promise<boolean> {
  return mountDisk('1m').then(
    async (disk) => unmountDisk(disk).then(() => true),
    () => false,
  );
}

/** Mounts a small disk for a whole profile in memory, until the end of the test. Returns its folder. */
export async function createSmallDisk(): Promise<string> {
  const disk = await mountDisk('400m');
  onTestFinished(() => unmountDisk(disk));
  return disk;
}

/**
 * Writes a file that fills the disk.
 *
 * @param rest bytes to leave
 */
export async function fill(disk: string, rest = 0): Promise<void> {
  const filler = join(disk, 'filler');
  const { bavail, bsize } = await statfs(disk);
  await appendFile(filler, new Uint8Array(bavail * bsize)).catch((error: unknown) => {
    if (!String(error).includes('ENOSPC')) throw error;
  });
  await truncate(filler, (await stat(filler)).size - rest);
}

/** Removes the file that fills the disk. */
export async function free(disk: string): Promise<void> {
  await rm(join(disk, 'filler'), { force: true });
}

async function mountDisk(size: string): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]).catch(async (error: unknown) => {
    await rm(disk, { recursive: true });
    throw error;
  });
  return disk;
}

async function unmountDisk(disk: string): Promise<void> {
  await run('umount', ['-l', disk]);
  await rm(disk, { recursive: true, force: true });
}
