import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Fault } from '../../tests/faults/fault.ts';

/** Plants a fault in a copy of the project. Gives the way to take it out again. Rejects when its place is not unique. */
export async function plantFault(
  folder: string,
  { file, find, replace }: Fault,
): Promise<() => Promise<void>> {
  const path = join(folder, 'src/messaging', file);
  const source = await readFile(path, 'utf8');
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${file} has ${after === undefined ? 'no' : 'more than one'} "${find}"`);
  }

  await writeFile(path, before + replace + after);
  return () => writeFile(path, source);
}
