import { execFile } from 'node:child_process';
import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';

import { listSource } from '../../scripts/source-files.ts';
import { projectFolder } from '../../scripts/project-folder.ts';

/**
 * Runs a script of an installed package, or the script with an absolute path, in a copy of the project or in another folder.
 * Returns its output. Rejects with it if the script fails.
 */
export async function runInCopy(folder: string, script: string, ...args: readonly string[]): Promise<string> {
  const command = [resolvePath(projectFolder, 'node_modules', script), ...args];
  // Without these variables, a build or a test run is the same as outside of a test.
  const { NODE_ENV: _, VITEST: __, FAILED_PARTS: ___, ...env } = process.env;
  const options = { cwd: folder, env: { ...env, NO_COLOR: '1' } };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(`${script} failed:\n${stdout}${stderr}`));
    });
  });
}

/** Copies the project with its uncommitted changes, and links the installed packages. Returns the folder of the copy. */
export async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  const paths = await listSource(projectFolder);
  await Promise.all(paths.map((path) => cp(join(projectFolder, path), join(folder, path))));
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}
