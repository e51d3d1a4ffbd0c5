import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

import type { BrowserName } from './browsers/find-browser.ts';
import { projectFolder } from './project-folder.ts';

/** Files that a build reads only once, or that end it if they have a mistake. A change of one needs another process. */
const READ_ONCE = ['scripts/typescript.mjs', 'scripts/watch.ts', 'scripts/extension.config.ts'];
const OTHER_FILES = [
  // These have no imports to follow.
  'package.json',
  'tsconfig.json',
  'SPEC_GAPS.md',
  '.env',
  '.env.development',
];

/** Returns the files that a build reads only once. It follows the imports of its scripts. */
function findReadOnce(): readonly string[] {
  const found = new Set(READ_ONCE.map((path) => join(projectFolder, path)));
  // The loop over a set includes files that are added during the loop.
  for (const path of found) {
    if (path.endsWith('.json') || !existsSync(path)) continue;
    const { staticImports } = parseSync(path, readFileSync(path, 'utf8')).module;
    for (const { moduleRequest } of staticImports) {
      if (moduleRequest.value.startsWith('.')) found.add(join(dirname(path), moduleRequest.value));
    }
  }
  return [...found, ...OTHER_FILES.map((path) => join(projectFolder, path))];
}

/** Builds now and after every change in another process, and calls `onBuilt` after every build. Returns a function that stops. */
export function buildAfterChanges(browser: BrowserName, folder: string, onBuilt: () => void): () => void {
  const watched = new Set<string>();
  let builder: ChildProcess;
  const restart = (): void => {
    builder.kill();
    start();
  };
  const start = (): void => {
    // A file stays watched, because a mistake in another one can hide its import.
    for (const file of findReadOnce()) {
      if (!watched.has(file)) watchFile(file, { interval: 200 }, restart);
      watched.add(file);
    }
    const options = { cwd: projectFolder, execArgv: ['--import', './scripts/typescript.mjs'] };
    builder = fork(join(projectFolder, 'scripts/watch.ts'), [browser, folder], options).on(
      'message',
      onBuilt,
    );
  };
  start();
  return () => {
    for (const file of watched) unwatchFile(file);
    builder.kill();
  };
}
