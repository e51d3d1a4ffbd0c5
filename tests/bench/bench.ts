import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { browserNames, parseBrowser } from '../../scripts/browsers/find-browser.ts';
import type { BrowserName } from '../../scripts/browsers/find-browser.ts';
import { judge } from './judge.ts';
import { runPageBench } from './pages/run-page-bench.ts';
import { renderTable } from './render-table.ts';
import { runBench } from './run-bench.ts';
import type { BenchResult } from './run-bench.ts';

// npm run bench [-- --browser chromium|firefox] [--quick] [--pages]: the core beside the browser's own API, in each browser
// unless one is named, and the popup beside simpler pages, in Chromium; with --pages that alone. Fails when a goal is
// missed in Chromium; see docs/performance.md.
const { values } = parseArgs({
  options: {
    browser: { type: 'string' },
    quick: { type: 'boolean', default: false },
    pages: { type: 'boolean', default: false },
  },
});
const browsers = values.browser === undefined ? browserNames : [parseBrowser(values.browser)];
const options = values.quick ? { launches: 2, effort: 0.15 } : { launches: 8, effort: 0.4 };

for (const browser of values.pages ? [] : browsers) report(browser, await runBench(browser, options));
if (values.pages || browsers.includes('chromium')) report('chromium', await runPageBench(options));

function report(browser: BrowserName, { version, comparisons }: BenchResult): void {
  console.log(`\n${version}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}\n`);
  console.log(renderTable(comparisons));
  if (browser === 'chromium' && !comparisons.every((comparison) => judge(comparison).holds)) {
    process.exitCode = 1;
  }
}
