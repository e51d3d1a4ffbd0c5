import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';

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

/** Ends this process at a signal as at its normal end, with its browsers and folders. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      // Last, because listeners that were added later end the browsers, which write into the folders.
      process.off('exit', removeFolders).once('exit', removeFolders);
      process.exit(128 + constants.signals[signal]);
    });
  }
}

const folders = new Set<string>();

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}
