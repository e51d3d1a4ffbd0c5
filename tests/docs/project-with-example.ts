import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';
import { copyProject } from '../support/project-copy.ts';
import { type GuideBlock, guideBlocks } from './guide-blocks.ts';

/** The documents whose blocks make the example: the second one extends the example of the first. */
export const exampleDocuments = ['docs/adding-behaviour.md', 'docs/extending.md'] as const;

/** Copies the project, and applies the blocks of these documents one after the other. Returns the folder of the copy. */
export async function copyWithExample(documents: readonly string[]): Promise<string> {
  const folder = await copyProject();
  for (const document of documents) {
    const markdown = await readFile(join(projectFolder, document), 'utf8');
    for (const block of guideBlocks(markdown)) await applyGuideBlock(folder, block);
  }
  return folder;
}

/** Applies a block to a copy of the project. Rejects if a new file exists, or if lines to change do not occur exactly once. */
async function applyGuideBlock(folder: string, { path, kind, text: block }: GuideBlock): Promise<void> {
  const file = join(folder, path);
  if (kind === 'file') {
    await mkdir(dirname(file), { recursive: true });
    return writeFile(file, `${block}\n`, { flag: 'wx' });
  }

  let changed = await readFile(file, 'utf8');
  for (const change of block.split('\n@@\n')) {
    const parts = changed.split(linesOf(change, '-'));
    if (parts.length !== 2) {
      throw new Error(`${path} has ${parts.length - 1} places with\n${linesOf(change, '-')}`);
    }
    changed = parts.join(linesOf(change, '+'));
  }
  return writeFile(file, changed);
}

/** Returns the lines of a place before the change (`-`) or after it (`+`). */
function linesOf(change: string, mark: '-' | '+'): string {
  return change
    .split('\n')
    .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');
}
