import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

import type { View } from '../../scripts/browsers/view.ts';
import { launchBuiltExtension } from './launch-built-extension.ts';

const run = promisify(execFile);
const MOST_CHANGES = 200;

/** Bytes of the disk on which the whole profile lies. */
const SIZE = 400 * 1024 * 1024;

/** Fills the disk under the browser so many times, lets the page be refused, makes room and lets it try again. */
export async function fillUpDisk(cycles: number): Promise<Refusal[]> {
  const disk = await mountDisk();
  const extension = await launchBuiltExtension(undefined, disk);
  const options = await extension.open('src/options/index.html#/preferences');
  await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  const refusals: Refusal[] = [];

  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const refusal = await changeUntilRefused(options, () => fill(disk));
    await rm(join(disk, 'filler'), { force: true });
    if (refusal === undefined) continue;

    refusals.push(refusal);
    await options.click('[role=alert] + button');
    await options.waitFor(() => document.body.textContent.includes('Saved.'));
  }
  return refusals;
}

/** Whether a disk can be mounted here: on Linux, with the rights of root. */
export async function canMountDisk(): Promise<boolean> {
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

/** What the page has said of one full disk, and the theme around it. */
interface Refusal {
  readonly told: string;
  readonly before: string | undefined;
  readonly during: string | undefined;
}

/** Changes the theme until that is refused: what was given to a file before is there to be written to. */
async function changeUntilRefused(
  options: View,
  fillDisk: () => Promise<void>,
): Promise<Refusal | undefined> {
  for (let change = 0; change < MOST_CHANGES; change += 1) {
    // Again each time: the browser clears away something of its own now and then.
    await fillDisk();
    const before = await options.evaluate(() => document.documentElement.dataset['theme']);
    await options.click('input[name=theme]:not(:checked)');
    const told = await options.waitFor((last) => {
      const alert = document.querySelector('[role=alert]')?.textContent;
      const isSaved = document.documentElement.dataset['theme'] !== last;
      return alert ?? (isSaved && document.body.textContent.includes('Saved.') && 'Saved.');
    }, before);
    const during = await options.evaluate(() => document.documentElement.dataset['theme']);
    if (told !== 'Saved.') return { told, before, during };
  }
  return undefined;
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
