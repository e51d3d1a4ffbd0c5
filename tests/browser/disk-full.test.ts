import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';

import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension, launchOwnBrowser, launchWires } from '../support/built-extension.ts';
import { changeUntilRefused, NOT_SAVED, openPreferences } from '../support/page-actions.ts';

const run = promisify(execFile);
const hasQuota = inject('browserName') === 'chromium';

/** Times that the disk is filled and given room again. */
const CYCLES = inject('isSoak') ? 10 : 1;

const canMount = await canMountDisk();

it.runIf(canMount)(
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

// Firefox knows no quota for an extension's storage.
it.runIf(hasQuota)('has written nothing of a write over the quota', async () => {
  const { page } = await launchWires();

  const outcome = await page.evaluate(async () => {
    const large = { kept: 2, large: 'x'.repeat(11_000_000) };
    await wires.store.write({ kept: 1 });
    return wires.store.write(large).then(
      () => 'written',
      (error: unknown) => String(error),
    );
  });

  expect(outcome).toMatch(/quota/i);
  expect(await page.evaluate(() => wires.store.readAll())).toEqual({ kept: 1 });
});

// In Firefox, which has no quota for an extension, it stands for the full disk where none can be mounted.
it.runIf(hasQuota || !canMount)(
  'says that nothing was saved when there is no room, and saves when there is',
  async () => {
    const extension = hasQuota ? await launchBuiltExtension() : await launchWithLittleRoom();
    const options = await openPreferences(extension);
    await options.evaluate(useUpRoom, 4 * 1024 * 1024);

    // An acknowledged change leaves the room that its outcome took.
    const { told, before, during } = await changeUntilRefused(options, () =>
      options.evaluate(useUpRoom, 1_024),
    );
    // Removes the fillers.
    await options.evaluate(async () => {
      const keys = Object.keys(await chrome.storage.local.get(null));
      await chrome.storage.local.remove(keys.filter((key) => key.startsWith('filler')));
    });

    // Firefox gives the room back some time after the data is gone: a person tries again, too.
    await options.waitFor((last) => {
      document.querySelector<HTMLElement>('[role=alert] + button:not([aria-disabled=true])')?.click();
      return document.documentElement.dataset['theme'] !== last;
    }, during);
    expect(told).toMatch(NOT_SAVED);
    expect(during).toBe(before);
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

/** Firefox has a share of the disk for all storage, which a setting makes 2 MiB. */
function launchWithLittleRoom(): Promise<RunningExtension> {
  const setting = 'user_pref("dom.quotaManager.temporaryStorage.fixedLimit", 2048);\n';
  return launchOwnBrowser(undefined, undefined, (profile) => writeFile(join(profile, 'prefs.js'), setting));
}

/** Runs in the page: stores ever smaller fillers, the first of this size, until not even the smallest is taken. */
async function useUpRoom(largest: number): Promise<void> {
  // Text that cannot be compressed, as Firefox does with what it stores.
  const letters = Array.from({ length: largest }, () =>
    String.fromCodePoint(33 + Math.floor(Math.random() * 90)),
  ).join('');
  for (let size = largest; size >= 1;) {
    const filler = { [`filler${Math.random()}`]: letters.slice(0, size) };
    const isTaken = await chrome.storage.local.set(filler).then(
      () => true,
      () => false,
    );
    if (!isTaken) size = Math.floor(size / 2);
  }
}
