import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** Allows a repository that belongs to another user, as in a container. Git before 2.38 ignores this setting here. */
const SETTINGS = ['-c', 'safe.directory=*'];

/** Runs git in a folder, and resolves to its output. */
export async function git(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...cleanEnvironment(), ...environment };
  return (await run('git', [...SETTINGS, ...args], { cwd: folder, env, maxBuffer })).stdout;
}

/** Returns the contents of the files whose objects are named, without the conversions that git makes for a working tree. */
export async function readBlobs(
  folder: string,
  ids: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const options = { cwd: folder, env: cleanEnvironment(), maxBuffer, encoding: 'buffer' } as const;
  const running = run('git', [...SETTINGS, 'cat-file', '--batch'], options);
  running.child.stdin?.end([...ids.values()].map((id) => `${id}\n`).join(''));
  let { stdout: rest } = await running;
  const blobs = [...ids].map(([path, id]) => {
    // Each object has a line `<id> blob <size>` before it, and a line break after it. A damaged repository may lack it.
    const start = rest.indexOf('\n') + 1;
    const line = rest.toString('latin1', 0, start);
    if (!line.startsWith(`${id} blob `)) throw new Error(`git cat-file: ${line}`);
    const end = start + Number(line.split(' ')[2]);
    const blob = rest.subarray(start, end);
    rest = rest.subarray(end + 1);
    return [path, blob] as const;
  });
  return new Map(blobs);
}

/** Git's variables would select another repository, such as that of a hook, or other objects. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(others), GIT_NO_REPLACE_OBJECTS: '1' };
}
