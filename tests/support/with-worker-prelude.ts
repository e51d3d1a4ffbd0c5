import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { copyBuiltExtension } from './copy-built-extension.ts';

/** The built extension with a script that runs in its worker before everything else, to make it misbehave. */
export async function withWorkerPrelude(script: string): Promise<string> {
  const folder = await copyBuiltExtension();
  const worker = join(folder, 'worker.js');
  await writeFile(worker, `${script}\n${await readFile(worker, 'utf8')}`);
  return folder;
}
