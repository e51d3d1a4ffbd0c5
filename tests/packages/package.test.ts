import { appendFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { git } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { readChecksums, runPackage, unpackSource } from '../support/project-copy.ts';

it('is the same, byte by byte, made of the unpacked source in another folder, time zone, language and umask', async () => {
  const folder = await unpackSource('İki paket');
  await commitAll(folder);

  const { exitCode, output } = await runPackage(folder, {
    environment: {
      TZ: 'Pacific/Kiritimati',
      LANG: 'tr_TR.UTF-8',
      LC_ALL: 'tr_TR.UTF-8',
      NODE_ENV: 'development',
    },
    umask: 0o077,
  });

  expect(exitCode, output).toBe(0);
  expect(await readChecksums(folder)).toBe(await readChecksums(projectFolder));
});

it('is refused with uncommitted changes, and without a git repository', async () => {
  const folder = await unpackSource('source');
  const unknown = await runPackage(folder);
  await commitAll(folder);

  await writeFile(join(folder, 'src/untracked.ts'), '');
  const untracked = await runPackage(folder);
  await rm(join(folder, 'src/untracked.ts'));
  await appendFile(join(folder, 'manifest.json'), '\n');
  const changed = await runPackage(folder);

  expect(unknown).toEqual({ exitCode: 1, output: expect.stringContaining('is not a git repository') });
  expect(untracked).toEqual({ exitCode: 1, output: expect.stringContaining('?? src/untracked.ts') });
  expect(changed).toEqual({ exitCode: 1, output: expect.stringContaining(' M manifest.json') });
});

it('is refused for a development build whatever is asked for, and nothing is left to be shipped', async () => {
  const folder = await unpackSource('source');
  await appendFile(
    join(folder, 'src/static/before-paint.js'),
    '\n//# sourceMappingURL=data:application/json,{}\n',
  );

  const { exitCode, output } = await runPackage(folder, { args: ['--dirty'] });

  expect(exitCode).toBe(1);
  expect(output).toContain('before-paint.js belongs to a development build');
  expect(await readdir(join(folder, 'dist/packages'))).toEqual([]);
});

async function commitAll(folder: string): Promise<void> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  await git(folder, ['init', '--quiet']);
  await git(folder, ['add', '--all']);
  await git(folder, [...identity, 'commit', '--quiet', '--message', 'source: as it was unpacked']);
}
