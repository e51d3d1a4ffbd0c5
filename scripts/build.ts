import { parseArgs } from 'node:util';

import { browserNames, parseBrowser } from './browsers/find-browser.ts';
import { buildExtension } from './build-extension.ts';
import { describeSize, readBuild, sizesOf } from './check-build.ts';
import { runCommand } from './command.ts';
import { findCommit } from './package-project.ts';

// npm run build [-- --browser chromium|firefox] [--release]: production builds, for both browsers unless one is named.
// Their view *About* shows the commit that they are made of. With --release they are as `npm run package` makes them.
const { values } = parseArgs({
  options: { browser: { type: 'string' }, release: { type: 'boolean', default: false } },
});

await runCommand(async () => {
  const browsers = values.browser === undefined ? browserNames : [parseBrowser(values.browser)];

  const commit = values.release ? '' : await findCommit();

  for (const browser of browsers) {
    const folder = await buildExtension(browser, commit);
    console.log(`Built for ${browser}: ${folder}`);
    for (const size of sizesOf(await readBuild(folder))) console.log(`  ${size.path}: ${describeSize(size)}`);
  }
});
