import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** Ignore lists and attributes of the person. `*` allows a repository that belongs to another user, as in a container. */
const SETTINGS = ['core.excludesFile=', 'core.attributesFile=', 'safe.directory=*'].flatMap((setting) => [
  '-c',
  setting,
]);

/** Runs git in a folder, and resolves to its output, which does not depend on the person's settings and variables. */
export async function git(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...cleanEnvironment(), ...environment };
  return (await run('git', [...SETTINGS, ...args], { cwd: folder, env, maxBuffer })).stdout;
}

/** Returns the contents of objects of a repository, without the conversions that git makes for a working tree. */
export async function readBlobs(folder: string, ids: readonly string[]): Promise<readonly Buffer[]> {
  const options = { cwd: folder, env: cleanEnvironment(), maxBuffer, encoding: 'buffer' } as const;
  const running = run('git', [...SETTINGS, 'cat-file', '--batch'], options);
  running.child.stdin?.end(ids.map((id) => `${id}\n`).join(''));
  let { stdout: rest } = await running;
  return ids.map(() => {
    // Each object has a line `<id> blob <size>` before it, and a line break after it.
    const start = rest.indexOf('\n') + 1;
    const end = start + Number(rest.toString('latin1', 0, start).split(' ')[2]);
    const blob = rest.subarray(start, end);
    rest = rest.subarray(end + 1);
    return blob;
  });
}

/** Git's variables would select another repository, such as that of a hook, or other objects. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(others),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}
