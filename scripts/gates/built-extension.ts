import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** A built extension: its files by path, with forward slashes. */
export interface BuiltExtension {
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Reads the build in this folder, all files of it. */
export async function readBuiltExtension(folder: string): Promise<BuiltExtension> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted();
  const files = await Promise.all(
    paths.map(async (path) => [path.replaceAll(sep, '/'), await readFile(join(folder, path))] as const),
  );
  return { files: new Map(files) };
}

/** The text of one of its files; empty when there is none. */
export function textOf({ files }: BuiltExtension, path: string): string {
  return files.get(path)?.toString('utf8') ?? '';
}

/** Paths of its scripts. */
export function scriptsOf({ files }: BuiltExtension): string[] {
  return [...files.keys()].filter((path) => path.endsWith('.js'));
}
