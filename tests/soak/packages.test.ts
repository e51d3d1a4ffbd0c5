import { expect, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { installNode, readChecksums, runPackage, unpackSource } from '../support/project-copy.ts';

const BUILDS = 20;
const NODES = ['20.19.0', '22.23.3', '24.21.0'];
const FOLDERS = ['a', 'İki paket', 'a/rather/deep/folder', 'x'.repeat(60)];
const ZONES = ['UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Pago_Pago'];
const LOCALES = ['C', 'tr_TR.UTF-8', 'ar_EG.UTF-8', 'de_DE.UTF-8', 'th_TH.UTF-8', 'sv_SE.UTF-8', 'en_US'];
const UMASKS = [0o022, 0o077, 0o000];

it('is the same, byte by byte, of 20 builds in different folders, time zones, languages, umasks and versions of Node', async () => {
  const nodes = await Promise.all(NODES.map(installNode));
  const folders: string[] = [];
  for (const name of FOLDERS) folders.push(await unpackSource(name, { packages: 'copied' }));

  const checksums = new Set([await readChecksums(projectFolder)]);
  for (let build = 0; build < BUILDS; build += 1) {
    const folder = pick(folders, build);
    const locale = pick(LOCALES, build);
    const { exitCode, output } = await runPackage(folder, {
      args: ['--dirty'],
      environment: { TZ: pick(ZONES, build), LANG: locale, LC_ALL: locale },
      umask: pick(UMASKS, build + Math.floor(build / UMASKS.length)),
      node: pick(nodes, build),
    });
    expect(exitCode, output).toBe(0);
    checksums.add(await readChecksums(folder));
  }

  console.log(`measured: packages: ${JSON.stringify({ builds: BUILDS, different: checksums.size })}`);
  expect([...checksums]).toHaveLength(1);
});

function pick<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('There is nothing to pick from');
  return value;
}
