import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { listSource } from '../../scripts/package-project.ts';
import { projectFolder } from '../../scripts/project-folder.ts';

/** Copies the project with its uncommitted changes, and links the installed packages. Returns the folder of the copy. */
export async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  const paths = await listSource(projectFolder);
  await Promise.all(paths.map((path) => cp(join(projectFolder, path), join(folder, path))));
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

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

/** A block of code in a guide. The path of its file comes after the language. */
export interface GuideBlock {
  /** Path from the root of the project. */
  readonly path: string;
  /** A `change` has lines to add and to remove, at one place or at several with `@@` between them. A `file` is new. */
  readonly kind: 'change' | 'file';
  readonly text: string;
}

/** Returns the blocks of a guide that name a file, in their order. */
export function guideBlocks(markdown: string): readonly GuideBlock[] {
  const fences = markdown.matchAll(/^```(\w+) (\S+)\n(.*?)\n```$/gmsu);
  return Array.from(fences, ([, language, path = '', text = '']) => {
    return { path, kind: language === 'diff' ? 'change' : 'file', text };
  });
}
