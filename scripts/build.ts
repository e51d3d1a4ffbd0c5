import { parseArgs } from 'node:util';

import { browserNames, parseBrowser } from './browsers/find-browser.ts';
import { buildExtension } from './build-extension.ts';
import { describeSize, readBuild, sizesOf } from './check-build.ts';
import { runCommand } from './command.ts';
import { findCommit } from './source-files.ts';

// npm run build [-- --browser chromium|firefox] [--release]: builds for production, for both browsers unless one is named.
// The view *About* shows the commit of the build. With --release, the builds are those of `npm run package`.
await runCommand(async () => {
  const { values } = parseArgs({
    options: { browser: { type: 'string' }, release: { type: 'boolean', default: false } },
  });
  const browsers = values.browser === undefined ? browserNames : [parseBrowser(values.browser)];

  const commit = values.release ? '' : await findCommit();

  for (const browser of browsers) {
    const folder = await buildExtension(browser, commit);
    console.log(`Built for ${browser}: ${folder}`);
    for (const size of sizesOf(await readBuild(folder))) console.log(`  ${size.part}: ${describeSize(size)}`);
  }
});
