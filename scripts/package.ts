import { parseArgs } from 'node:util';

import { runCommand } from './command.ts';
import { packageProject } from './package-project.ts';
import { checkCommitted, readCommit, readSource } from './source-files.ts';

// npm run package [-- --dirty]: writes zips for both stores and of the source, the package of the core, and
// their checksums to dist/packages.
await runCommand(async () => {
  const { values } = parseArgs({ options: { dirty: { type: 'boolean', default: false } } });
  if (!values.dirty) await checkCommitted();
  const source = await (values.dirty ? readSource() : readCommit());
  console.log(await packageProject(source));
  console.log(`The source package has ${source.size} files.`);
});
