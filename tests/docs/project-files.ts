import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';

/** Folders that tools write and nobody commits, as `.gitignore` names them. */
export const outputFolders: readonly string[] = readFileSync(join(projectFolder, '.gitignore'), 'utf8')
  .split('\n')
  .filter((line) => line.endsWith('/'));

/** Every file of the project, from its top, with forward slashes. */
export function projectFiles(folder = ''): string[] {
  return readdirSync(join(projectFolder, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (!entry.isDirectory()) return [path];
    return entry.name === '.git' || outputFolders.includes(`${path}/`) ? [] : projectFiles(`${path}/`);
  });
}
