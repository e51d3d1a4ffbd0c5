import { parseArgs } from 'node:util';

import { checkCommitted } from './package/check-committed.ts';
import { packageProject } from './package/package-project.ts';
import { projectFolder } from './project-folder.ts';
import { runCommand } from './run-command.ts';

// npm run package [-- --dirty]: two zips for the stores, one of the source and their checksums, in dist/packages.
const { values } = parseArgs({ options: { dirty: { type: 'boolean', default: false } } });

await runCommand(async () => {
  if (!values.dirty) await checkCommitted(projectFolder);
  for (const { file, checksum } of await packageProject()) console.log(`${checksum}  dist/packages/${file}`);
});
