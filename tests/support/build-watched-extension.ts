import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { inject } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from './build-core-extension.ts';

/** What is put into the watched extension that does not belong there. */
interface Intruder {
  /** Source of a content script for all frames on pages of the loopback address. */
  readonly contentScript?: string;
  /** Further files, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Builds the core's test extension that watches its worker, for the browser of this suite. Gives its folder. */
export async function buildWatchedExtension({ contentScript, files = {} }: Intruder = {}): Promise<string> {
  const source = join(projectFolder, 'tests/support/watched-extension');
  const folder = await buildCoreExtension(inject('browserName'), source);
  const all = contentScript === undefined ? files : { ...files, 'content.js': contentScript };
  await Promise.all(Object.entries(all).map(([path, text]) => writeFile(join(folder, path), text)));
  if (contentScript === undefined) return folder;

  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as object;
  const scripts = [{ matches: ['http://127.0.0.1/*'], js: ['content.js'], all_frames: true }];
  await writeFile(path, JSON.stringify({ ...manifest, content_scripts: scripts }));
  return folder;
}
