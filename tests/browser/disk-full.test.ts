import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';

import { launchOwnBrowser } from '../support/built-extension.ts';
import { changeUntilRefused, NOT_SAVED, openPreferences } from '../support/page-actions.ts';

const run = promisify(execFile);

/** Times that the disk is filled and given room again. */
const CYCLES = inject('isSoak') ? 10 : 1;

// Where no disk can be mounted, `quota.test.ts` shows the same without one.
it.runIf(await canMountDisk())(
  'says that a full disk takes nothing, keeps the old state, and goes on when there is space',
  async () => {
    // The whole profile lies on it.
    const disk = await mountDisk('400m');
    onTestFinished(() => unmountDisk(disk));
    const options = await openPreferences(await launchOwnBrowser(undefined, disk));

    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      // Filled again before each change: the browser clears away something of its own now and then.
      const { told, before, during } = await changeUntilRefused(options, () => fill(disk));
      expect(told).toMatch(NOT_SAVED);
      expect(during).toBe(before);

      await rm(join(disk, 'filler'), { force: true });
      await options.click('[role=alert] + button');
      await options.waitFor(() => document.body.textContent.includes('Saved.'));
    }
  },
);

/** Whether a disk can be mounted here: on Linux, with the rights of root. */
async function canMountDisk(): Promise<boolean> {
  return mountDisk('1m').then(
    async (disk) => unmountDisk(disk).then(() => true),
    () => false,
  );
}

/** Mounts a small disk in memory. Gives its folder. */
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

/** Writes a file that leaves not a byte free. */
async function fill(disk: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await appendFile(join(disk, 'filler'), new Uint8Array(bavail * bsize)).catch((error: unknown) => {
    if (!String(error).includes('ENOSPC')) throw error;
  });
}
