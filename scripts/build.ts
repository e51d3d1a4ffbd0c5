import { parseArgs } from 'node:util';

import { browserNames } from './browsers/browser-name.ts';
import { buildExtension } from './build-extension.ts';
import { parseBrowser } from './parse-browser.ts';
import { runCommand } from './run-command.ts';

// npm run build [-- --browser chromium|firefox]: production builds, for both browsers unless one is named.
const { values } = parseArgs({ options: { browser: { type: 'string' } } });

await runCommand(async () => {
  const browsers = values.browser === undefined ? browserNames : [parseBrowser(values.browser)];

  for (const browser of browsers) {
    const folder = await buildExtension(browser);
    console.log(`Built for ${browser}: ${folder}`);
  }
});
