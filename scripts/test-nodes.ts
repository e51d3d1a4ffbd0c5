import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

import { CommandError, runCommand } from './command.ts';
import { projectFolder } from './project-folder.ts';

/** The oldest version of Node that package.json allows, and the newest one. */
const VERSIONS = ['20.19.0', 'latest'];

// npm run test:nodes: runs `npm run check` on other versions of Node, from their packages on npm.
await runCommand(async () => {
  const failed: string[] = [];
  for (const version of VERSIONS) {
    const folder = await mkdtemp(join(tmpdir(), 'node-'));
    try {
      if (!(await check(folder, version))) failed.push(version);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  if (failed.length > 0) throw new CommandError(`The checks failed on Node ${failed.join(' and ')}.`);
});

/** Installs a version of Node into a folder, and resolves to whether the checks pass on it. */
async function check(folder: string, version: string): Promise<boolean> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const install = `npm install --no-save --ignore-scripts --prefix . ${name}@${version}`;
  await promisify(execFile)(install, { cwd: folder, shell: true });
  // Scripts of npm take `node` from the first folder.
  const path = join(folder, 'node_modules', name, 'bin') + delimiter + (process.env['PATH'] ?? '');
  const env = { ...process.env, PATH: path };
  const options = { cwd: projectFolder, shell: true, stdio: 'inherit', env } as const;
  const child = spawn('node --version && npm run check', options);
  return (await once(child, 'close'))[0] === 0;
}
