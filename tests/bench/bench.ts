import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Plugin } from 'vite';

import { type BrowserName, browserNames, parseBrowser } from '../../scripts/browsers/find-browser.ts';
import { runCommand } from '../../scripts/command.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import { launchBenchBrowser } from './bench-browser.ts';
import { type Comparison, holds, mergeComparisons, renderTable } from './measure.ts';
import { buildPopups, measurePopups } from './popup-start.ts';
import { coldWake, type Scenario, scenarios } from './scenarios.ts';

// npm run bench [-- --browser chromium|firefox] [--pages] [--quick]: the core against the browser's own API in each browser,
// and the popup against simpler pages in Chromium. A browser that is named runs the first alone, --pages the second. Fails
// when a goal is missed in Chromium; see docs/performance.md.
const { values } = parseArgs({
  options: {
    browser: { type: 'string' },
    pages: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
/**
 * Browsers started one after the other, best an even number: where each puts its processes in memory is a matter of luck.
 * The effort is the share of the full number of rounds in each, 0 to 1.
 */
const { launches, effort } = values.quick ? { launches: 2, effort: 0.15 } : { launches: 4, effort: 0.25 };

/** Loads webextension-polyfill in a worker that does without it. */
const withPolyfill: Plugin = {
  name: 'with-polyfill',
  transform: (code, id) =>
    id.endsWith('/worker.ts') ? `import 'webextension-polyfill';\n${code}` : undefined,
};

/** Takes webextension-polyfill out of a build: the browser's own API stands in its place. */
const withoutPolyfill: Plugin = {
  name: 'without-polyfill',
  enforce: 'pre',
  resolveId: (id) => (id === 'webextension-polyfill' ? '\0polyfill' : undefined),
  // Each namespace that is not used is left out, as the browser creates an API when it is first read.
  load: (id) =>
    id === '\0polyfill'
      ? ['action', 'i18n', 'permissions', 'runtime', 'storage', 'tabs', 'windows']
          .map(
            (name) =>
              `export const ${name} = /* @__PURE__ */ (() => (globalThis.browser ?? chrome).${name})();`,
          )
          .join('\n')
      : undefined,
};

await runCommand(async () => {
  const browsers = values.browser === undefined ? browserNames : [parseBrowser(values.browser)];
  for (const browser of values.pages ? [] : browsers) await benchCore(browser);
  if (values.pages || values.browser === undefined) await benchPopup();
});

/** Builds the extensions, in pairs, and takes all scenarios through a browser. */
async function benchCore(browser: BrowserName): Promise<void> {
  const build = (name: string, ...plugins: readonly Plugin[]): Promise<string> =>
    buildCoreExtension(browser, join(projectFolder, 'tests/bench', name), plugins);
  const raw = await build('raw-extension');
  const client = await build('client-extension');
  const [polyfilled, bare] = [
    await build('raw-extension', withPolyfill),
    await build('client-extension', withoutPolyfill),
  ];
  const pairs: readonly { raw: string; client: string; scenarios: readonly Scenario[] }[] = [
    { raw: polyfilled, client, scenarios: [coldWake('polyfill in both')] },
    { raw, client: bare, scenarios: [coldWake('polyfill in neither')] },
    { raw, client, scenarios },
  ];

  const comparisons: Comparison[] = [];
  let version = '';
  for (const pair of pairs) {
    const runs = await repeat(async (profile, launch) => {
      const running = await launchBenchBrowser(browser, { ...pair, profile, isRawFirst: launch % 2 === 1 });
      ({ version } = running);
      try {
        const made: Comparison[] = [];
        for (const scenario of pair.scenarios) made.push(...(await scenario(running, effort)));
        return made;
      } finally {
        await running.close();
      }
    });
    comparisons.push(...runs);
  }
  report(browser, version, comparisons);
}

/** Builds the popup and its two contenders and opens each of them many times, with cold and warm workers. */
async function benchPopup(): Promise<void> {
  const popups = await buildPopups();
  let version = '';
  const comparisons = await repeat(async (profile) => {
    const result = await measurePopups(popups, profile, effort);
    ({ version } = result);
    return result.comparisons;
  });
  report('chromium', version, comparisons);
}

/** One browser after the other, each with a profile of its own. */
async function repeat(
  run: (profile: string, launch: number) => Promise<Comparison[]>,
): Promise<Comparison[]> {
  const runs: Comparison[][] = [];
  for (let launch = 0; launch < launches; launch += 1) {
    const profile = await mkdtemp(join(tmpdir(), 'bench-profile-'));
    try {
      runs.push(await run(profile, launch));
    } finally {
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
  return mergeComparisons(runs);
}

function report(browser: BrowserName, version: string, comparisons: readonly Comparison[]): void {
  console.log(`\n${version}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}\n`);
  console.log(renderTable(comparisons));
  if (browser === 'chromium' && !comparisons.every(holds)) process.exitCode = 1;
}
