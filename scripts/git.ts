import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs git in a folder, and resolves to its output. */
export async function git(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...(await withoutRepository()), ...environment };
  return (await run('git', args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** Returns the environment without git's variables. In a git hook, they would select the repository of the hook. */
async function withoutRepository(): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await run('git', ['rev-parse', '--local-env-vars']);
  const names = new Set(stdout.split('\n'));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.has(name)));
}
