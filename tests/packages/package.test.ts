import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { checkCommitted, git } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { readChecksums, runPackage, unpackSource } from '../support/project-copy.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

it('packages are the same, byte by byte, when built in another folder, time zone, language and umask', async () => {
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

it('packaging is refused with uncommitted changes, and without a git repository', async () => {
  const folder = await createTemporaryFolder('source');
  await writeFile(join(folder, 'a.ts'), '');
  await expect(checkCommitted(folder)).rejects.toThrow('is not a git repository');

  await commitAll(folder);
  await checkCommitted(folder);

  await writeFile(join(folder, 'b.ts'), '');
  await appendFile(join(folder, 'a.ts'), '\n');
  await expect(checkCommitted(folder)).rejects.toThrow(/ M a\.ts\n\?\? b\.ts$/);
});

async function commitAll(folder: string): Promise<void> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  await git(folder, ['init', '--quiet']);
  await git(folder, ['add', '--all']);
  await git(folder, [...identity, 'commit', '--quiet', '--message', 'source: as it is']);
}
