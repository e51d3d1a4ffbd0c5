import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { GuideBlock } from './guide-blocks.ts';

/** Puts a block into a copy of the project. Rejects when the file or the place that it names is not there, or not the only one. */
export async function applyGuideBlock(folder: string, { path, kind, text }: GuideBlock): Promise<void> {
  const file = join(folder, path);
  if (kind === 'file') {
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) throw new Error(`${path} is no new file.`);
    await writeFile(file, `${text}\n`);
    return;
  }

  const source = await readFile(file, 'utf8');
  const before = linesOf(text, '-');
  const [head, tail, ...more] = source.split(before);
  if (head === undefined || tail === undefined || more.length > 0) {
    throw new Error(`${path} has ${tail === undefined ? 'no' : 'more than one'} place with\n${before}`);
  }
  await writeFile(file, head + linesOf(text, '+') + tail);
}

/** The lines of a change that are in the file before (`-`) or after it (`+`). */
function linesOf(change: string, mark: '-' | '+'): string {
  return change
    .split('\n')
    .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');
}
