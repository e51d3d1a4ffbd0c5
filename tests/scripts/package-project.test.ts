import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it, onTestFinished, vi } from 'vitest';

import { createZip, git, listSource } from '../../scripts/package-project.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

const FILES = [
  ['src/b.js', 'b'],
  ['a.json', '{}'],
] as const;

it('a package has the given files, and is the same in whatever order, time zone and year it is made', () => {
  const once = createZip(filesIn(FILES));
  onTestFinished(() => void vi.unstubAllEnvs().useRealTimers());
  vi.stubEnv('TZ', 'Pacific/Kiritimati');
  vi.useFakeTimers({ now: new Date('2031-07-01') });
  const again = createZip(filesIn(FILES.toReversed()));

  const unpacked = unzipSync(once);
  expect(Object.keys(unpacked)).toEqual(['a.json', 'src/b.js']);
  expect(Buffer.from(unpacked['src/b.js'] ?? []).toString()).toBe('b');
  expect(Buffer.from(again).equals(Buffer.from(once))).toBe(true);
});

it('the source package lists what git does not ignore: without a repository, below one, and added to one or not', async () => {
  const folder = await createSource();
  const list = async (): Promise<string[]> => (await listSource(folder)).toSorted();
  const without = await list();
  await git(join(folder, '..'), ['init', '--quiet']);
  const below = await list();
  await git(folder, ['init', '--quiet']);
  await writeFile(join(folder, 'deleted.ts'), '');
  await git(folder, ['add', '--all']);
  await rm(join(folder, 'deleted.ts'));
  await writeFile(join(folder, 'b.ts'), '');

  expect([without, below]).toEqual(Array.from({ length: 2 }, () => ['.gitignore', 'src/ä a.ts']));
  expect(await list()).toEqual(['.gitignore', 'b.ts', 'src/ä a.ts']);
});

function filesIn(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, Uint8Array> {
  return new Map(entries.map(([path, text]) => [path, Buffer.from(text)]));
}

async function createSource(): Promise<string> {
  const parent = await realpath(await createTemporaryFolder('source'));
  const folder = join(parent, 'project');
  await mkdir(join(folder, 'src'), { recursive: true });
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, '.gitignore'), 'dist/\n');
  await writeFile(join(folder, 'dist/built.js'), '');
  await writeFile(join(folder, 'src/ä a.ts'), '');
  return folder;
}
