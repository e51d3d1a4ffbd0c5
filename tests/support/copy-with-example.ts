import { cp, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';
import { applyGuideBlock } from './apply-guide-block.ts';
import { guideBlocks } from './guide-blocks.ts';

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
 * Copies the project as it is now, with the same installed packages, and puts the example of `docs/adding-behaviour.md`
 * into the copy, block by block. Gives its folder.
 */
export async function copyWithExample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  await Promise.all(
    PARTS.map((part) => cp(join(projectFolder, part), join(folder, part), { recursive: true })),
  );
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const guide = await readFile(join(projectFolder, 'docs/adding-behaviour.md'), 'utf8');
  for (const block of guideBlocks(guide)) await applyGuideBlock(folder, block);
  return folder;
}
