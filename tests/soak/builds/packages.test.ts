import { expect, it } from 'vitest';

import { projectFolder } from '../../../scripts/project-folder.ts';
import { installNode, readChecksums, runPackage, unpackSource } from '../../support/project-copy.ts';

it.each([
  ['Node 20.19.0', async () => ({ node: await installNode('20.19.0') })],
  ['Node 22.23.3', async () => ({ node: await installNode('22.23.3') })],
  ['Node 24.21.0', async () => ({ node: await installNode('24.21.0') })],
  ['another time zone, language and umask', async () => ({ environment: ELSEWHERE, umask: 0o077 })],
])('packages are the same, byte by byte, when built in another folder with %s', async (_what, prepare) => {
  const folder = await unpackSource('İki paket');

  const { exitCode, output } = await runPackage(folder, { args: ['--dirty'], ...(await prepare()) });

  expect(exitCode, output).toBe(0);
  expect(await readChecksums(folder)).toBe(await readChecksums(projectFolder));
});

const ELSEWHERE = {
  TZ: 'Pacific/Kiritimati',
  LANG: 'tr_TR.UTF-8',
  LC_ALL: 'tr_TR.UTF-8',
  NODE_ENV: 'development',
};
