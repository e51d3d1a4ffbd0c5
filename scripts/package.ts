import { parseArgs } from 'node:util';

import { runCommand } from './command.ts';
import { checkCommitted, packageProject } from './package-project.ts';

// npm run package [-- --dirty]: writes zips for both stores and of the source, the package of the core, and
// their checksums to dist/packages.
await runCommand(async () => {
  const { values } = parseArgs({ options: { dirty: { type: 'boolean', default: false } } });
  if (!values.dirty) await checkCommitted();
  console.log(await packageProject());
});
