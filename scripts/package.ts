import { parseArgs } from 'node:util';

import { runCommand } from './command.ts';
import { checkCommitted, packageProject } from './package-project.ts';

// npm run package [-- --dirty]: two zips for the stores, one of the source and their checksums, in dist/packages.
const { values } = parseArgs({ options: { dirty: { type: 'boolean', default: false } } });

await runCommand(async () => {
  if (!values.dirty) await checkCommitted();
  console.log(await packageProject());
});
