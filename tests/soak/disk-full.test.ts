import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, onTestFinished } from 'vitest';

import { launchBuiltExtension } from '../support/launch-built-extension.ts';

const run = promisify(execFile);
const CYCLES = 10;

/** Bytes of the disk on which the whole profile lies. */
const SIZE = 400 * 1024 * 1024;

it(
  'says that a full disk takes nothing, keeps the old state, and goes on when there is space',
  { timeout: 300_000 },
  async () => {
    const disk = await mountDisk();
    const extension = await launchBuiltExtension(undefined, disk);
    const options = await extension.open('src/options/index.html#/preferences');
    await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
    const outcomes: string[] = [];
    const kept: boolean[] = [];

    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      const before = await options.evaluate(() => document.documentElement.dataset['theme']);
      await fill(disk);
      await options.click('input[name=theme]:not(:checked)');
      const told = await options.waitFor(() => {
        const status = [...document.querySelectorAll('[role=alert], [role=status]')].map(
          ({ textContent }) => textContent,
        );
        return status.find((text) => /not saved|^Saved/.test(text ?? ''));
      });
      outcomes.push(told);
      const during = await options.evaluate(() => document.documentElement.dataset['theme']);
      await rm(join(disk, 'filler'), { force: true });
      if (/not saved/.test(told)) {
        kept.push(during === before);
        await options.click('[role=alert] + button');
      }
      await options.waitFor(() => document.body.textContent.includes('Saved.'));
    }

    const refused = outcomes.filter((outcome) => outcome.includes('could not store it')).length;
    console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ cycles: CYCLES, refused })}`);
    expect(refused).toBeGreaterThan(0);
    expect(kept).not.toContain(false);
  },
);

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
  await writeFile(join(disk, 'filler'), new Uint8Array(bavail * bsize)).catch((error: unknown) => {
    if (!String(error).includes('ENOSPC')) throw error;
  });
}
