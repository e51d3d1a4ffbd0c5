import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is done to one file: a byte flipped, its end cut off, gone, or put in the place of another. */
export const damages = ['flip', 'truncate', 'delete', 'swap'] as const;

export type Damage = (typeof damages)[number];

/** Damages files at random, as a failing disk or a killed machine does. Says what was done. */
export async function damageFiles(folder: string, damage: Damage): Promise<string> {
  const files = await filesIn(folder);
  const file = pick(files);
  const { size } = await stat(file);
  switch (damage) {
    case 'flip': {
      const bytes = await readFile(file);
      const at = Math.floor(Math.random() * size);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
      await writeFile(file, bytes);
      return `flip a bit of byte ${at} of ${size} in ${file}`;
    }
    case 'truncate': {
      const left = Math.floor(Math.random() * size);
      await truncate(file, left);
      return `truncate ${file} from ${size} to ${left} bytes`;
    }
    case 'delete':
      await rm(file);
      return `delete ${file}`;
    case 'swap': {
      const other = pick(files);
      const [one, two] = [await readFile(file), await readFile(other)];
      await writeFile(file, two);
      await writeFile(other, one);
      return `swap ${file} and ${other}`;
    }
  }
}

/** All files below a folder that hold something. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return files.filter((_file, index) => (sizes[index] ?? 0) > 0);
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to damage.');
  return item;
}
