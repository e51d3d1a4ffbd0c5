import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectFolder } from './project-folder.ts';

/** What the checks, the unit tests and a build need. */
const PARTS = [
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'knip.json',
  'manifest.json',
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  'vitest.config.ts',
  'SPEC_GAPS.md',
  'scripts',
  'src',
  'tests',
];

/**
 * Copies the project as it is now into a temporary folder, with the same installed packages, to be changed there: by a
 * planted fault, or by the example of `docs/adding-behaviour.md`. Gives the folder.
 */
export async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  await Promise.all(
    PARTS.map((part) => cp(join(projectFolder, part), join(folder, part), { recursive: true })),
  );
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}
