import { parseArgs } from 'node:util';

import { browserNames, parseBrowser } from './browsers/find-browser.ts';
import { buildExtension } from './build-extension.ts';
import { describeSize, readBuild, sizesOf } from './check-build.ts';
import { runCommand } from './command.ts';

// npm run build [-- --browser chromium|firefox]: production builds, for both browsers unless one is named.
const { values } = parseArgs({ options: { browser: { type: 'string' } } });

await runCommand(async () => {
  const browsers = values.browser === undefined ? browserNames : [parseBrowser(values.browser)];

  for (const browser of browsers) {
    const folder = await buildExtension(browser);
    console.log(`Built for ${browser}: ${folder}`);
    for (const size of sizesOf(await readBuild(folder))) console.log(`  ${size.path}: ${describeSize(size)}`);
  }
});
