import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { CommandError } from './command.ts';
import { projectFolder } from './project-folder.ts';

/**
 * Returns the absolute path of a file of an installed package, such as `typescript/bin/tsc`. In a workspace, the package may be
 * in a folder above the project.
 */
export function findInstalled(file: string): string {
  const found = packageFolders()
    .map((folder) => join(folder, file))
    .find((path) => existsSync(path));
  if (found === undefined) throw new CommandError(`${file} is not installed. Run \`npm ci --include=dev\`.`);
  return found;
}

/** Returns the folders in which Node looks for the packages of this project, the nearest first. Some may not exist. */
export function packageFolders(): readonly string[] {
  return createRequire(join(projectFolder, 'package.json')).resolve.paths('any-package') ?? [];
}
