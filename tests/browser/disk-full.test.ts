import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';

import { launchOwnBrowser } from '../support/built-extension.ts';
import { changeUntilRefused } from '../support/page-actions.ts';
import type { Refusal } from '../support/page-actions.ts';

const run = promisify(execFile);

/** Bytes of the disk on which the whole profile lies. */
const SIZE = 400 * 1024 * 1024;

/** Times that the disk is filled and given room again. */
const CYCLES = inject('isSoak') ? 10 : 1;

// Where no disk can be mounted, `quota.test.ts` shows the same without one.
it.runIf(await canMountDisk())(
  'says that a full disk takes nothing, keeps the old state, and goes on when there is space',
  async () => {
    const refusals = await fillUpDisk();

    expect(refusals).toHaveLength(CYCLES);
    for (const { told, before, during } of refusals) {
      expect(told).toMatch(
        /^The theme was not saved\.The browser could not save this\. Nothing was changed\./,
      );
      expect(during).toBe(before);
    }
  },
);

/** Fills the disk under the browser again and again, lets the page be refused, makes room and lets it try again. */
async function fillUpDisk(): Promise<Refusal[]> {
  const disk = await mountDisk();
  const extension = await launchOwnBrowser(undefined, disk);
  const options = await extension.open('src/options/index.html#/preferences');
  await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  const refusals: Refusal[] = [];

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    // Filled again before each change: the browser clears away something of its own now and then.
    refusals.push(await changeUntilRefused(options, () => fill(disk)));
    await rm(join(disk, 'filler'), { force: true });
    await options.click('[role=alert] + button');
    await options.waitFor(() => document.body.textContent.includes('Saved.'));
  }
  return refusals;
}

/** Whether a disk can be mounted here: on Linux, with the rights of root. */
async function canMountDisk(): Promise<boolean> {
  const disk = await mkdtemp(join(tmpdir(), 'disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]);
    await run('umount', [disk]);
    return true;
  } catch {
    return false;
  } finally {
    await rm(disk, { recursive: true, force: true });
  }
}

/** A small disk in memory, gone after the test. To mount one takes the rights of root. */
async function mountDisk(): Promise<string> {
  const disk = await mkdtemp(join(tmpdir(), 'disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', disk]);
  onTestFinished(async () => {
    await run('umount', ['-l', disk]);
    await rm(disk, { recursive: true, force: true });
  });
  return disk;
}

/** Writes a file that leaves not a byte free. */
async function fill(disk: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await appendFile(join(disk, 'filler'), new Uint8Array(bavail * bsize)).catch((error: unknown) => {
    if (!String(error).includes('ENOSPC')) throw error;
  });
}
