import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

import { findInstalled, packageFolders } from '../../scripts/find-installed.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { listSource } from '../../scripts/source-files.ts';

/**
 * Runs a script of an installed package, or the script with an absolute path, in a copy of the project or in another folder.
 * Returns its output. Rejects with it if the script fails.
 */
export async function runInCopy(folder: string, script: string, ...args: readonly string[]): Promise<string> {
  const command = [isAbsolute(script) ? script : findInstalled(script), ...args];
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
  await linkPackages(folder);
  return folder;
}

/** Links the installed packages into a folder. In a workspace, they are in several folders, and the nearest is used. */
export async function linkPackages(folder: string): Promise<void> {
  for (const packages of packageFolders().filter((path) => existsSync(path))) {
    const names = await readdir(packages);
    const scopes = names.filter((name) => name.startsWith('@'));
    for (const parent of ['.', ...scopes]) {
      const target = join(folder, 'node_modules', parent);
      await mkdir(target, { recursive: true });
      const linked = new Set(await readdir(target));
      const missing = (await readdir(join(packages, parent))).filter((name) => !linked.has(name));
      // A name with a dot belongs to a tool, such as the cache of Vite.
      const own = missing.filter((name) => !/^[.@]/u.test(name));
      await Promise.all(
        own.map((name) => symlink(join(packages, parent, name), join(target, name), 'junction')),
      );
    }
  }
}
