import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'fflate';
import { createTar } from 'nanotar';

import project from '../package.json' with { type: 'json' };
import { readBuild } from './check-build.ts';
import { CommandError } from './command.ts';
import { findInstalled } from './find-installed.ts';
import { projectFolder } from './project-folder.ts';

const { version, license, dependencies, devDependencies } = project;

/** The doors of the package: one declares features, one calls them, one starts the background. Other modules have paths. */
export const coreExports = {
  '.': './messaging/index.js',
  './client': './platform/browser-client.js',
  './background': './platform/start.js',
  './*': './*.js',
};

const description = {
  name: 'extension-core',
  version,
  private: true,
  description:
    'Typed calls and stored state for Manifest V3 extensions, which survive every stop of the background.',
  license,
  type: 'module',
  sideEffects: false,
  exports: coreExports,
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

/** Compiles the core and its adapters into `dist/core`, with the other files of their package. */
export async function compileCore(): Promise<void> {
  const folder = join(projectFolder, 'dist/core');
  await rm(folder, { recursive: true, force: true });
  const options = [findInstalled('typescript/bin/tsc'), '--project', 'scripts/core'];
  await promisify(execFile)(process.execPath, options, { cwd: projectFolder }).catch((error: unknown) => {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new CommandError(`The core does not compile without the rest of the project:\n${stdout}${stderr}`);
  });
  const guide = await readFile(join(projectFolder, 'docs/use-elsewhere.md'), 'utf8');
  // The package has no other document to which a link could lead.
  await writeFile(join(folder, 'README.md'), guide.replaceAll(/\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(description, undefined, 2)}\n`);
}

/** Returns the package for npm of a folder. `npm pack` would depend on npm's version and on the person's settings. */
export async function packCore(folder: string): Promise<Uint8Array> {
  const files = [...(await readBuild(folder))];
  const entries = files.map(([path, bytes]) => ({ name: `package/${path}`, data: new Uint8Array(bytes) }));
  const tar = createTar(entries, { attrs: { mode: '644', uid: 0, gid: 0, mtime: 0 } });
  // Node's zlib may write other bytes in other versions.
  return gzipSync(tar, { level: 9, mtime: 0 });
}
