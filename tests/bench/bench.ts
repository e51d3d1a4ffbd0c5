import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Plugin } from 'vite';

import { runCommand } from '../../scripts/command.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension, indexedDb } from '../support/build-core-extension.ts';
import { type BenchBrowser, launchBenchBrowser } from './bench-browser.ts';
import { openReady } from './contender.ts';
import { measureEvents } from './events.ts';
import { type Comparison, describe, judge, mergeComparisons } from './measure.ts';
import { buildPopups, measurePopups } from './popup-start.ts';
import { measureState } from './state.ts';
import { coldWake, records, type Scenario, scenarios } from './scenarios.ts';

// npm run bench [-- --core] [--state] [--events] [--pages] [--quick]
//
// In Chromium, compares the core, its state and its events with the browser's own API, and the popup with plain React.
// `--core`, `--state`, `--events` and `--pages` run only these parts. It fails when a goal is missed. See docs/performance.md.
const flag = { type: 'boolean', default: false } as const;
const options = { core: flag, state: flag, events: flag, pages: flag, quick: flag };
const { values } = parseArgs({ options });
const isAll = !values.core && !values.state && !values.events && !values.pages;

/**
 * `launches` is the number of browsers, which start one after the other. Several are needed, because the layout of a process
 * in memory is random; the number is even, because the order of the pages alternates. `effort` is the share of the full number
 * of rounds in each browser, 0 to 1.
 */
const { launches, effort } = values.quick ? { launches: 2, effort: 0.15 } : { launches: 4, effort: 0.25 };

/** Adds webextension-polyfill to a worker that does not import it. */
const withPolyfill: Plugin = {
  name: 'with-polyfill',
  transform: (code, id) =>
    id.endsWith('/worker.ts') ? `import 'webextension-polyfill';\n${code}` : undefined,
};

const namespaces = ['alarms', 'permissions', 'runtime', 'storage', 'tabs'];

/** Replaces the API of webextension-polyfill by the browser's own. */
const withoutPolyfill: Plugin = {
  name: 'without-polyfill',
  enforce: 'pre',
  resolveId: (id) => (id === 'webextension-polyfill' ? '\0native' : undefined),
  load(id) {
    if (id !== '\0native') return undefined;
    // The build drops namespaces that are not used. Reading one would make the browser create it.
    const read = (name: string): string => `/* @__PURE__ */ (() => (globalThis.browser ?? chrome).${name})()`;
    return namespaces.map((name) => `export const ${name} = ${read(name)};`).join('\n');
  },
};

await runCommand(async () => {
  if (values.core || isAll) await benchCore();
  if (values.state || isAll) await benchState();
  if (values.events || isAll) await benchEvents();
  if (values.pages || isAll) await benchPopup();
});

/** Builds the extensions and runs all scenarios with pairs of them. */
async function benchCore(): Promise<void> {
  const build = (name: string, ...plugins: readonly Plugin[]): Promise<string> =>
    buildCoreExtension('chromium', join(projectFolder, 'tests/bench', name), { plugins });
  const raw = await build('raw-extension');
  const client = await build('client-extension');
  const polyfilled = await build('raw-extension', withPolyfill);
  const bare = await build('client-extension', withoutPolyfill);

  report([
    ...(await repeat(comparePair(polyfilled, client, [coldWake('polyfill in both')]))),
    ...(await repeat(comparePair(raw, bare, [coldWake('polyfill in neither')]))),
    ...(await repeat(comparePair(raw, client, scenarios))),
    ...(await repeat(comparePair(raw, client, [records]))),
  ]);
}

/** Builds an extension for each store, and measures installations of them with different amounts of state. */
async function benchState(): Promise<void> {
  const source = join(projectFolder, 'tests/bench/state-extension');
  const folders = {
    local: await buildCoreExtension('chromium', source),
    indexedDb: await buildCoreExtension('chromium', source, { plugins: [indexedDb] }),
  };
  report(await repeat((running) => measureState(folders, running, effort)));
}

/** Builds one extension, and measures events of the browser in it. */
async function benchEvents(): Promise<void> {
  const folder = await buildCoreExtension('chromium', join(projectFolder, 'tests/bench/event-extension'));
  report(await repeat((running) => measureEvents(folder, running, effort)));
}

/** Builds the popup and a plain one, and opens each many times with cold and warm workers. */
async function benchPopup(): Promise<void> {
  const popups = await buildPopups();
  report(await repeat((running) => measurePopups(popups, running, effort)));
}

type Run = (running: BenchBrowser, launch: number) => Promise<readonly Comparison[]>;

/** Repeats a run in one browser after the other, each with a new profile. Merges the results. */
async function repeat(run: Run): Promise<readonly Comparison[]> {
  const results: (readonly Comparison[])[] = [];
  for (let launch = 0; launch < launches; launch += 1) {
    const profile = await mkdtemp(join(tmpdir(), 'bench-profile-'));
    const running = await launchBenchBrowser(profile);
    if (launch === 0) console.log(running.version);
    try {
      results.push(await run(running, launch));
    } finally {
      await running.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
  return mergeComparisons(results);
}

/** Returns a run that installs both extensions in a browser and measures these scenarios. */
function comparePair(rawFolder: string, clientFolder: string, pairScenarios: readonly Scenario[]): Run {
  return async (running, launch) => {
    const raw = await running.install(rawFolder);
    const client = await running.install(clientFolder);
    // In Chromium, the page that is opened first is about 5 % slower with a message of 1 MB, so the order alternates.
    const earlyPage = launch % 2 === 1 ? await openReady(raw) : undefined;
    const clientPage = await openReady(client);
    const pair = {
      raw: { extension: raw, page: earlyPage ?? (await openReady(raw)) },
      client: { extension: client, page: clientPage },
    };
    const comparisons: Comparison[] = [];
    for (const scenario of pairScenarios) comparisons.push(...(await scenario(pair, effort)));
    return comparisons;
  };
}

function report(comparisons: readonly Comparison[]): void {
  console.log(`\n${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}\n`);
  console.table(comparisons.map(describe));
  if (comparisons.some((comparison) => !judge(comparison).holds)) process.exitCode = 1;
}
