import { exec, execFile } from 'node:child_process';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'fflate';

import project from '../package.json' with { type: 'json' };
import { CommandError } from './command.ts';
import { projectFolder } from './project-folder.ts';

const { version, license, dependencies, devDependencies } = project;

const description = {
  name: 'extension-core',
  version,
  private: true,
  description:
    'Typed calls and stored state for Manifest V3 extensions, which survive every stop of the background.',
  license,
  type: 'module',
  sideEffects: false,
  exports: { './*': './*.js' },
  dependencies: { '@standard-schema/spec': `^${devDependencies['@standard-schema/spec']}` },
  peerDependencies: {
    // The first version with `useEffectEvent`.
    react: '>=19.2.0',
    'webextension-polyfill': `^${dependencies['webextension-polyfill']}`,
  },
  peerDependenciesMeta: { react: { optional: true } },
};

/** Name of the package of this version, as npm writes it. */
export const coreFile = `${description.name}-${version}.tgz`;

/**
 * Compiles the core and its adapters into `dist/core`, and returns their package for npm. Its bytes depend only on the
 * sources, not on the machine or the time.
 */
export async function packCore(): Promise<Uint8Array> {
  const folder = join(projectFolder, 'dist/core');
  await rm(folder, { recursive: true, force: true });
  const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc');
  const options = [compiler, '--project', 'scripts/core'];
  await promisify(execFile)(process.execPath, options, { cwd: projectFolder }).catch((error: unknown) => {
    const { stdout } = error as { readonly stdout: string };
    throw new CommandError(`The core does not compile without the rest of the project:\n${stdout}`);
  });
  const guide = await readFile(join(projectFolder, 'docs/use-elsewhere.md'), 'utf8');
  // The package has no other document to which a link could lead.
  await writeFile(join(folder, 'README.md'), guide.replaceAll(/\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const file of files) if (file.isFile()) await chmod(join(file.parentPath, file.name), 0o644);
  await promisify(exec)('npm pack', { cwd: folder });
  // npm compresses with the zlib of Node, whose bytes may differ between versions.
  const tar = gunzipSync(await readFile(join(folder, coreFile)));
  return gzipSync(tar, { level: 9, mtime: 0 });
}
