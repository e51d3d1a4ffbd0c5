import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { packageFile, packagesFolder } from '../../../scripts/package-project.ts';
import { projectFolder } from '../../../scripts/project-folder.ts';
import { linkPackages } from '../../support/project-copy.ts';
import { unpackZip } from '../../support/temporary-folder.ts';

const run = promisify(execFile);

interface Surroundings {
  /** Executable of Node. */
  readonly node?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly umask?: number;
}

const ELSEWHERE = { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };

it.each<[what: string, prepare: () => Promise<Surroundings>]>([
  ['Node 20.19.0', async () => ({ node: await installNode('20.19.0') })],
  ['Node 22.23.3', async () => ({ node: await installNode('22.23.3') })],
  ['Node 24.21.0', async () => ({ node: await installNode('24.21.0') })],
  [
    'another time zone, language and umask',
    async () => ({ environment: { ...ELSEWHERE, NODE_ENV: 'development' }, umask: 0o077 }),
  ],
])('packages are the same, byte by byte, when built in another folder with %s', async (_what, prepare) => {
  const { node = process.execPath, environment = {}, umask = 0o022 } = await prepare();
  const folder = await unpackZip(await readFile(join(packagesFolder, packageFile('source'))), 'İki paket');
  await linkPackages(folder);

  const script = `process.umask(${umask}); await import('./scripts/package.ts');`;
  const command = ['--import', 'tsx', '--input-type=module', '--eval', script, '--', '--dirty'];
  await run(node, command, { cwd: folder, env: { ...process.env, ...environment } });

  expect(await readChecksums(folder)).toBe(await readChecksums(projectFolder));
});

/** Reads the checksums that `npm run package` has written in a copy of the project. */
function readChecksums(folder: string): Promise<string> {
  return readFile(join(folder, 'dist/packages/SHA256SUMS'), 'utf8');
}

/** Installs this version of Node into `.cache`, from its package on npm. Returns the path of the executable. */
async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(projectFolder, '.cache/node', version);
  await mkdir(folder, { recursive: true });
  await run('npm', ['install', '--prefix', folder, '--no-save', '--ignore-scripts', `${name}@${version}`]);
  return join(folder, 'node_modules', name, 'bin/node');
}
