import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** What git prints in this folder. */
export async function runGit(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await execute('git', args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}
