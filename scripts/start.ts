import { parseArgs } from 'node:util';

import { ensureBrowser } from './browsers/ensure-browser.ts';
import { parseBrowser } from './parse-browser.ts';
import { runCommand } from './run-command.ts';
import { developInChromium } from './start/develop-in-chromium.ts';
import { developInFirefox } from './start/develop-in-firefox.ts';
import { hasDisplay } from './start/has-display.ts';
import { reportPages } from './start/report-pages.ts';

// npm start [-- --browser chromium|firefox] [--headless]: the extension in a real browser. Without a display, a
// report on what its pages show.
const { values } = parseArgs({
  options: {
    browser: { type: 'string', default: 'chromium' },
    headless: { type: 'boolean', default: false },
  },
});

await runCommand(async () => {
  const browser = parseBrowser(values.browser);
  const executable = await ensureBrowser(browser);
  if (values.headless || !hasDisplay()) {
    const problems = await reportPages(browser, executable);
    for (const problem of problems) console.error(`\nFAILED: ${problem}`);
    process.exitCode = problems.length > 0 ? 1 : 0;
  } else if (browser === 'chromium') {
    await developInChromium(executable);
  } else {
    await developInFirefox(executable);
  }
});
