import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { CommandError } from './command.ts';
import { projectFolder } from './project-folder.ts';

/**
 * Creates a folder that a browser can read, and removes it when this process ends. It is in the project, because a browser
 * that is installed as a snap, such as Ubuntu's Chromium, has a `/tmp` of its own.
 */
export async function createWorkFolder(name: string): Promise<string> {
  const parent = join(projectFolder, '.cache');
  await mkdir(parent, { recursive: true });
  if (folders.size === 0) process.once('exit', removeFolders);
  const folder = await mkdtemp(join(parent, `${name}-`));
  folders.add(folder);
  return folder;
}

/**
 * Creates a folder that stays when this process ends, and returns it again in the next process. Rejects with a `CommandError` if
 * a process that runs now has it.
 */
export async function keepWorkFolder(name: string): Promise<string> {
  const folder = join(projectFolder, '.cache', name);
  await mkdir(folder, { recursive: true });
  const owner = join(folder, 'process');
  const pid = Number(await readFile(owner, 'utf8').catch(() => ''));
  if (pid !== process.pid && isRunning(pid)) {
    throw new CommandError(
      `The process ${pid} uses ${folder}. End it first, or start without \`--keep-profile\`.`,
    );
  }
  await writeFile(owner, String(process.pid));
  process.once('exit', () => rmSync(owner, { force: true }));
  return folder;
}

function isRunning(pid: number): boolean {
  if (pid === 0 || Number.isNaN(pid)) return false;
  try {
    // Signal 0 only looks for the process.
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Milliseconds that a signal waits for `beforeSignal`. */
const END_LIMIT = 5_000;

let end: () => Promise<void> = async () => {};

/** Calls `run` before a signal ends this process, for example to let a browser save its data. */
export function beforeSignal(run: () => Promise<void>): void {
  end = run;
}

/** Ends this process at a signal as at its normal end, with its browsers and folders. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      const ended = Promise.race([end().catch(() => {}), sleep(END_LIMIT)]);
      void ended.then(() => {
        // Last, because listeners that were added later end the browsers, which write into the folders.
        process.off('exit', removeFolders).once('exit', removeFolders);
        process.exit(128 + constants.signals[signal]);
      });
    });
  }
}

const folders = new Set<string>();

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
