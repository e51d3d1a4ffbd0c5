import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { projectFolder } from '../../../scripts/project-folder.ts';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';

const LOADER = pathToFileURL(join(projectFolder, 'scripts/typescript.mjs')).href;

it.each(['a#b', 'a?b'])('scripts refuse to run in a folder with the name %s', async (name) => {
  await expect(runIn(name)).rejects.toThrow(/Rename the folder so that it has no "\?" and no "#"\.\n$/);
});

it.each(['a b', 'a%41b'])('scripts run in a folder with the name %s', async (name) => {
  await expect(runIn(name)).resolves.toMatchObject({ stdout: 'ran\n' });
});

it.each(['build', 'package', 'start', 'screenshots'])(
  'the script %s reports a mistyped option in one line',
  async (script) => {
    const command = ['--import', LOADER, join(projectFolder, 'scripts', `${script}.ts`), '--mistyped'];

    const running = promisify(execFile)(process.execPath, command);

    await expect(running).rejects.toMatchObject({ code: 1, stderr: "Unknown option '--mistyped'\n" });
  },
);

/** Runs a line of code as the scripts of package.json run, in a new folder of this name. */
async function runIn(name: string) {
  const folder = join(await createTemporaryFolder('folder'), name);
  await mkdir(folder);
  const command = ['--import', LOADER, '--input-type=module', '--eval', 'console.log("ran")'];
  return promisify(execFile)(process.execPath, command, { cwd: folder });
}
