import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';
import { copyProject, runInCopy } from '../support/project-copy.ts';
import { writeFiles } from '../support/temporary-folder.ts';
import { type GuideBlock, guideBlocks } from './guide-blocks.ts';

/** The documents whose blocks make the example. The second one extends the example of the first, and the recipes follow. */
export const exampleDocuments: readonly [guide: string, extending: string, ...recipes: string[]] = [
  'docs/adding-behaviour.md',
  'docs/extending.md',
  ...readdirSync(join(projectFolder, 'docs/recipes'))
    .toSorted()
    .map((name) => `docs/recipes/${name}`),
];

/** Copies the project, and applies the blocks of these documents one after the other. Returns the folder of the copy. */
export async function copyWithExample(documents: readonly string[]): Promise<string> {
  const folder = await copyProject();
  await applyExample(folder, documents);
  return folder;
}

/** Applies the blocks of these documents to a copy. A person may have typed blocks into the project before. */
export async function applyExample(folder: string, documents: readonly string[]): Promise<void> {
  for (const block of documents.flatMap(blocksOf)) await applyBlock(folder, block);
}

/** Returns the blocks of a document that name a file, in their order. */
export function blocksOf(document: string): readonly GuideBlock[] {
  return guideBlocks(readFileSync(join(projectFolder, document), 'utf8'));
}

/** Applies a block to a copy of the project. Rejects if lines to change do not occur exactly once. */
async function applyBlock(folder: string, { path, kind, text: block }: GuideBlock): Promise<void> {
  if (kind === 'file') return writeFiles(folder, { [path]: `${block}\n` });

  const file = join(folder, path);
  let text = await readFile(file, 'utf8');
  if (kind === 'merge') return writeJson(folder, path, merge(JSON.parse(text), JSON.parse(block)));
  for (const change of block.split('\n@@\n')) {
    const [before, after] = [linesOf(change, '-'), linesOf(change, '+')];
    const added = after.split('\n').filter((line) => !before.split('\n').includes(line));
    // The project may have these lines already.
    if (added.length > 0 && added.every((line) => text.split('\n').includes(line))) continue;
    const places = text.split(before).length - 1;
    if (places !== 1) throw new Error(`${path} has ${places} places with\n${before}`);
    text = text.replace(before, () => after);
  }
  return writeFile(file, text);
}

async function writeJson(folder: string, path: string, value: unknown): Promise<void> {
  await writeFile(join(folder, path), JSON.stringify(value, undefined, 2));
  await runInCopy(folder, 'oxfmt/bin/oxfmt', path);
}

/** Adds members, and items that a list does not have. Other values are replaced. */
function merge(present: unknown, added: unknown): unknown {
  if (Array.isArray(present) && Array.isArray(added)) {
    const texts = new Set(present.map((item) => JSON.stringify(item)));
    return [...(present as unknown[]), ...added.filter((item) => !texts.has(JSON.stringify(item)))];
  }
  if (!isObject(present) || !isObject(added)) return added;
  const merged = Object.entries(added).map(([key, value]) => [key, merge(present[key], value)] as const);
  return { ...present, ...Object.fromEntries(merged) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the lines of a place before the change (`-`) or after it (`+`). */
function linesOf(change: string, mark: '-' | '+'): string {
  return change
    .split('\n')
    .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');
}
