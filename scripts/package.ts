import { parseArgs } from 'node:util';

import { packageProject } from './package/package-project.ts';
import { runGit } from './package/run-git.ts';

// npm run package [-- --dirty]: two zips for the stores, one of the source and their checksums, in dist/packages.
const { values } = parseArgs({ options: { dirty: { type: 'boolean', default: false } } });
const changes = await runGit('status', '--porcelain');
if (changes !== '' && !values.dirty) {
  console.error(
    `What is not committed would be in the packages. Commit it, or say \`npm run package -- --dirty\`:\n${changes}`,
  );
  process.exitCode = 1;
} else {
  for (const { file, checksum } of await packageProject()) console.log(`${checksum}  dist/packages/${file}`);
}
