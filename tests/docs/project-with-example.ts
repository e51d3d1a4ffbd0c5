import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

import { projectFolder } from '../../scripts/project-folder.ts';
import { copyProject, runInCopy } from '../support/project-copy.ts';
import { writeFiles } from '../support/temporary-folder.ts';
import { applyBlocks, type GuideBlock, guideBlocks } from './guide-blocks.ts';

/** The guide, whose blocks make the example. */
export const GUIDE = 'docs/adding-behaviour.md';

/** The recipes, in the order of their names. */
export const recipes: readonly string[] = readdirSync(join(projectFolder, 'docs/recipes'))
  .toSorted()
  .map((name) => `docs/recipes/${name}`);

/** All documents whose blocks a person can apply to one project, in an order in which each finds what it needs. */
export const exampleDocuments: readonly string[] = [...new Set([GUIDE, ...recipes].flatMap(withNeeds))];

/** Copies the project, and applies the blocks of these documents one after the other. Returns the folder of the copy. */
export async function copyWithExample(documents: readonly string[]): Promise<string> {
  const folder = await copyProject();
  await applyExample(folder, documents);
  return folder;
}

/** Applies the blocks of these documents to a copy. A person may have typed blocks into the project before. */
export async function applyExample(folder: string, documents: readonly string[]): Promise<void> {
  const texts = applyBlocks(documents.flatMap(blocksOf), (path) => readFileSync(join(folder, path), 'utf8'));
  await writeFiles(folder, Object.fromEntries(texts));
  const merged = [...texts.keys()].filter((path) => path.endsWith('.json'));
  if (merged.length > 0) await runInCopy(folder, 'oxfmt/bin/oxfmt', ...merged);
}

/** Returns the blocks of a document that name a file, in their order. */
export function blocksOf(document: string): readonly GuideBlock[] {
  return guideBlocks(readDocument(document));
}

/** Returns a recipe after the documents that its line *Needs* links to, which are applied first. */
export function withNeeds(recipe: string): readonly string[] {
  const [, needs = ''] = /^\*\*Needs\*\*: (.*?)\n\n/ms.exec(readDocument(recipe)) ?? [];
  const links = Array.from(needs.matchAll(/\]\(([^)#]+\.md)/g), ([, link = '']) =>
    posix.join(posix.dirname(recipe), link),
  );
  return [...links.filter((link) => link === GUIDE || recipes.includes(link)).flatMap(withNeeds), recipe];
}

/** Reads a document of the project. */
export function readDocument(path: string): string {
  return readFileSync(join(projectFolder, path), 'utf8');
}
