import { parseArgs } from 'node:util';

import { parseBrowser } from './browsers/find-browser.ts';
import { runCommand } from './command.ts';
import { develop } from './develop/develop.ts';
import { reportPages } from './report-pages.ts';
import { endOnSignals } from './work-folder.ts';

// npm start [-- --browser chromium|firefox] [--headless] [--keep-profile]: runs the extension in a real browser, which shows
// edits automatically. With --keep-profile, it starts with the profile of the last time. Without a display, it prints a report
// about the pages instead.
const { DISPLAY, WAYLAND_DISPLAY } = process.env;
const hasDisplay = process.platform !== 'linux' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY);

endOnSignals();
await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      browser: { type: 'string', default: 'chromium' },
      headless: { type: 'boolean', default: false },
      'keep-profile': { type: 'boolean', default: false },
    },
  });
  const browser = parseBrowser(values.browser);
  if (!values.headless && hasDisplay) return develop(browser, { keepsProfile: values['keep-profile'] });
  const problems = await reportPages(browser);
  for (const problem of problems) console.error(`\nFAILED: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
});
