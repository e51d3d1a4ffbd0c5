import { parseArgs } from 'node:util';

import { BuildRefused } from './gates/build-refused.ts';
import { checkCommitted } from './package/check-committed.ts';
import { packageProject } from './package/package-project.ts';
import { PackageRefused } from './package/package-refused.ts';
import { projectFolder } from './project-folder.ts';

// npm run package [-- --dirty]: two zips for the stores, one of the source and their checksums, in dist/packages.
const { values } = parseArgs({ options: { dirty: { type: 'boolean', default: false } } });

try {
  if (!values.dirty) await checkCommitted(projectFolder);
  for (const { file, checksum } of await packageProject()) console.log(`${checksum}  dist/packages/${file}`);
} catch (error) {
  // A refusal says what to do, and its stack would only hide that.
  const isRefusal = error instanceof PackageRefused || error instanceof BuildRefused;
  console.error(isRefusal ? error.message : error);
  process.exitCode = 1;
}
