import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { projectFolder } from '../../scripts/project-folder.ts';

const execute = promisify(execFile);

/** Installs this version of Node into `.cache`, as the npm package that holds its executable. Gives the path of that. */
export async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(projectFolder, '.cache/node', version);
  await mkdir(folder, { recursive: true });
  await execute('npm', [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    `${name}@${version}`,
  ]);
  return join(folder, 'node_modules', name, 'bin/node');
}
