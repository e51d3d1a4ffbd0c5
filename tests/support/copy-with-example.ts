import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { copyProject } from '../../scripts/copy-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { applyGuideBlock } from './apply-guide-block.ts';
import { guideBlocks } from './guide-blocks.ts';

/** Copies the project and puts the example of `docs/adding-behaviour.md` into the copy, block by block. Gives its folder. */
export async function copyWithExample(): Promise<string> {
  const folder = await copyProject();
  const guide = await readFile(join(projectFolder, 'docs/adding-behaviour.md'), 'utf8');
  for (const block of guideBlocks(guide)) await applyGuideBlock(folder, block);
  return folder;
}
