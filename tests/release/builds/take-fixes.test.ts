import { execFile } from 'node:child_process';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { git } from '../../../scripts/git.ts';
import { projectFolder } from '../../../scripts/project-folder.ts';
import { createTemporaryFolder, type Files, writeFiles } from '../../support/temporary-folder.ts';

const page = await readFile(join(projectFolder, 'docs/recipes/take-fixes.md'), 'utf8');
const [merge = '', apply = ''] = Array.from(page.matchAll(/^```sh\n(.*?)^```/gms), ([, block = '']) => block);

it.each([
  ['a clone', merge, true],
  ['a copy without the history', apply, false],
])(
  'the commands of docs/recipes/take-fixes.md bring a fix into %s and keep its own changes',
  async (_kind, commands, hasHistory) => {
    const folder = await createTemporaryFolder('fixes');
    const [starter, copy] = [join(folder, 'starter'), join(folder, 'copy')];
    await commit(starter, { 'src/messaging/core.ts': 'first\n', 'src/platform/port.ts': 'port\n' }, 'v0.1.0');
    await cp(starter, copy, { recursive: true });
    if (!hasHistory) await rm(join(copy, '.git'), { recursive: true });
    await commit(copy, { 'src/features/own.ts': 'own\n' });
    await commit(starter, { 'src/messaging/core.ts': 'fixed\n' }, 'v0.2.0');

    const script = `unset $(git rev-parse --local-env-vars)\n${commands.replace('<address>', starter)}`;
    await promisify(execFile)('sh', ['-ec', script], { cwd: copy, env: { ...process.env, ...person } });

    expect(await readFile(join(copy, 'src/messaging/core.ts'), 'utf8')).toBe('fixed\n');
    expect(await readFile(join(copy, 'src/features/own.ts'), 'utf8')).toBe('own\n');
  },
);

const person = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** Writes files into a repository, which is created if necessary, and commits and tags them. */
async function commit(folder: string, files: Files, tag?: string): Promise<void> {
  await writeFiles(folder, files);
  await git(folder, ['init', '--quiet']);
  await git(folder, ['add', '--all']);
  await git(folder, ['commit', '--quiet', '--no-verify', '-m', 'Change files'], person);
  if (tag !== undefined) await git(folder, ['tag', tag]);
}
