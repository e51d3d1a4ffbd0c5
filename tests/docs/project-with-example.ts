import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';
import { copyProject, runInCopy } from '../support/project-copy.ts';
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

/** Applies the blocks of these documents to a copy. Undoes blocks that a person has typed into the project first. */
export async function applyExample(folder: string, documents: readonly string[]): Promise<void> {
  for (const block of (await blocksOf(exampleDocuments)).toReversed()) await undoBlock(folder, block);
  for (const block of await blocksOf(documents)) await applyBlock(folder, block);
}

async function blocksOf(documents: readonly string[]): Promise<readonly GuideBlock[]> {
  const texts = await Promise.all(documents.map((path) => readFile(join(projectFolder, path), 'utf8')));
  return texts.flatMap(guideBlocks);
}

/** Applies a block to a copy of the project. Rejects if lines to change do not occur exactly once. */
async function applyBlock(folder: string, { path, kind, text: block }: GuideBlock): Promise<void> {
  const file = join(folder, path);
  if (kind === 'file') {
    await mkdir(dirname(file), { recursive: true });
    return writeFile(file, `${block}\n`, { flag: 'wx' });
  }

  let text = await readFile(file, 'utf8');
  if (kind === 'merge') return writeJson(folder, path, merge(JSON.parse(text), JSON.parse(block)));
  for (const change of block.split('\n@@\n')) {
    const [before, after] = [linesOf(change, '-'), linesOf(change, '+')];
    const places = text.split(before).length - 1;
    // The project may have this line already, such as an import.
    if (places === 0 && text.includes(after)) continue;
    if (places !== 1) throw new Error(`${path} has ${places} places with\n${before}`);
    text = text.replace(before, () => after);
  }
  return writeFile(file, text);
}

/** Undoes a block in a project where a person has typed it. Changes nothing in another project. */
async function undoBlock(folder: string, { path, kind, text: block }: GuideBlock): Promise<void> {
  const file = join(folder, path);
  if (kind === 'file') return rm(file, { force: true });

  let text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  if (kind === 'merge') {
    const [present, added] = [JSON.parse(text) as unknown, JSON.parse(block) as unknown];
    if (hasMembers(present, added)) await writeJson(folder, path, unmerge(present, added));
    return;
  }
  const changes = block.split('\n@@\n');
  if (!changes.every((change) => text?.includes(linesOf(change, '+')))) return;
  for (const change of changes.toReversed()) {
    text = text.replace(linesOf(change, '+'), () => linesOf(change, '-'));
  }
  return writeFile(file, text);
}

async function writeJson(folder: string, path: string, value: unknown): Promise<void> {
  await writeFile(join(folder, path), JSON.stringify(value, undefined, 2));
  await runInCopy(folder, 'oxfmt/bin/oxfmt', path);
}

/** Adds members and items of lists. Other values are replaced. */
function merge(present: unknown, added: unknown): unknown {
  if (Array.isArray(present) && Array.isArray(added)) return [...present, ...(added as unknown[])];
  if (!isObject(present) || !isObject(added)) return added;
  const merged = Object.entries(added).map(([key, value]) => [key, merge(present[key], value)] as const);
  return { ...present, ...Object.fromEntries(merged) };
}

/** Returns `true` if the value has everything that `merge` would add. */
function hasMembers(present: unknown, added: unknown): boolean {
  if (Array.isArray(present) && Array.isArray(added)) {
    const texts = new Set(present.map((item) => JSON.stringify(item)));
    return added.every((item) => texts.has(JSON.stringify(item)));
  }
  if (!isObject(present) || !isObject(added)) return present === added;
  return Object.entries(added).every(([key, value]) => hasMembers(present[key], value));
}

/** Removes what `merge` has added. Returns `undefined` if nothing is left. */
function unmerge(present: unknown, added: unknown): unknown {
  if (Array.isArray(present) && Array.isArray(added)) {
    const texts = new Set(added.map((item) => JSON.stringify(item)));
    const left = present.filter((item) => !texts.has(JSON.stringify(item)));
    return left.length > 0 ? left : undefined;
  }
  if (!isObject(present) || !isObject(added)) return undefined;
  const left = Object.entries(present).flatMap(([key, value]) => {
    // The policy has replaced another one, which is not known.
    const isAdded = Object.hasOwn(added, key) && key !== 'content_security_policy';
    const rest = isAdded ? unmerge(value, added[key]) : value;
    return rest === undefined ? [] : [[key, rest] as const];
  });
  return left.length > 0 ? Object.fromEntries(left) : undefined;
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
