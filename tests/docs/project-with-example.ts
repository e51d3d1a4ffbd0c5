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
  if (kind === 'merge') return writeFormatted(folder, path, addMembers(text, JSON.parse(block) as Members));
  for (const change of block.split('\n@@\n')) {
    const [before, after] = [linesOf(change, '-'), linesOf(change, '+')];
    const places = text.split(before).length - 1;
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
    const removed = removeMembers(text, JSON.parse(block) as Members);
    if (removed !== text) await writeFormatted(folder, path, removed);
    return;
  }
  for (const change of block.split('\n@@\n').toReversed()) {
    text = text.replace(linesOf(change, '+'), () => linesOf(change, '-'));
  }
  return writeFile(file, text);
}

async function writeFormatted(folder: string, path: string, text: string): Promise<void> {
  await writeFile(join(folder, path), text);
  await runInCopy(folder, 'oxfmt/bin/oxfmt', path);
}

/** Adds the members of a block to the manifest. Items of a list are added to the list that is there. */
function addMembers(manifest: string, members: Members): string {
  return Object.entries(members).reduce((text, [key, value]) => {
    const items = Array.isArray(value) ? [...itemsOf(text, key), ...(value as unknown[])] : value;
    return setMember(text, key, items);
  }, manifest);
}

/** Removes the members of a block from the manifest. */
function removeMembers(manifest: string, members: Members): string {
  return Object.entries(members).reduce((text, [key, value]) => {
    const left = Array.isArray(value) ? itemsOf(text, key).filter((item) => !value.includes(item)) : [];
    return setMember(text, key, left.length > 0 ? left : undefined);
  }, manifest);
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the items of a list of the manifest. */
function itemsOf(manifest: string, key: string): readonly unknown[] {
  return ((JSON.parse(manifest) as Members)[key] ?? []) as readonly unknown[];
}

/** Replaces, adds or removes a member of the manifest that is a list, or an object in one line. */
function setMember(manifest: string, key: string, value: unknown): string {
  const present = new RegExp(`^  "${key}": (?:\\[[^\\]]*\\],|.*)\n`, 'm');
  const line = value === undefined ? '' : `  "${key}": ${JSON.stringify(value)},\n`;
  return present.test(manifest)
    ? manifest.replace(present, () => line)
    : manifest.replace('{\n', () => `{\n${line}`);
}

/** Returns the lines of a place before the change (`-`) or after it (`+`). */
function linesOf(change: string, mark: '-' | '+'): string {
  return change
    .split('\n')
    .filter((line) => line === '' || line.startsWith(' ') || line.startsWith(mark))
    .map((line) => line.slice(1))
    .join('\n');
}
