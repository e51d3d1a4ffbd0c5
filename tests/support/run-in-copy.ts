import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';

/** Runs a script of an installed package in a copy of the project. Gives what it printed; rejects with that when it fails. */
export function runInCopy(folder: string, script: string, ...args: readonly string[]): Promise<string> {
  const command = [join(projectFolder, 'node_modules', script), ...args];
  // What is built is built as it is outside of tests.
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, NO_COLOR: '1' } };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(`${script} failed:\n${stdout}${stderr}`));
    });
  });
}
