import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { projectFolder } from '../project-folder.ts';

const execute = promisify(execFile);

/** What git prints in the project's folder. */
export async function runGit(...args: readonly string[]): Promise<string> {
  const { stdout } = await execute('git', args, { cwd: projectFolder, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
