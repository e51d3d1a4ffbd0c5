import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

it.each(['a#b', 'a?b'])('scripts refuse to run in a folder with the name %s', async (name) => {
  await expect(runIn(name)).rejects.toThrow(/Rename the folder so that it has no "\?" and no "#"\.\n$/);
});

it.each(['a b', 'a%41b'])('scripts run in a folder with the name %s', async (name) => {
  await expect(runIn(name)).resolves.toMatchObject({ stdout: 'ran\n' });
});

/** Runs a line of code as the scripts of package.json run, in a new folder of this name. */
async function runIn(name: string) {
  const folder = join(await createTemporaryFolder('folder'), name);
  await mkdir(folder);
  const loader = pathToFileURL(join(projectFolder, 'scripts/typescript.mjs')).href;
  const command = ['--import', loader, '--input-type=module', '--eval', 'console.log("ran")'];
  return promisify(execFile)(process.execPath, command, { cwd: folder });
}
