import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { BenchBrowser, BenchExtension, BenchPage } from './bench-browser.ts';
import type { Comparison, Contender, Series } from './measure.ts';
import type { Load } from './page-bench.ts';

/** An installed extension, and its page. */
export interface Installed {
  readonly extension: BenchExtension;
  readonly page: BenchPage;
}

/** Milliseconds for the browser to finish its work after a worker has ended. */
export const REST = 200;

/** Installs a copy of an extension, which has its own store, and opens its page. */
export async function installCopy(running: BenchBrowser, folder: string): Promise<Installed> {
  // Chromium derives an extension's id from its folder.
  const copy = await mkdtemp(join(tmpdir(), 'bench-'));
  await cp(folder, copy, { recursive: true });
  const extension = await running.install(copy);
  return { extension, page: await openReady(extension) };
}

/** Opens the page of an extension, and waits until it can be measured. */
export async function openReady(extension: BenchExtension): Promise<BenchPage> {
  const page = await extension.open('options.html');
  const isReady = (): Promise<boolean> =>
    page.evaluate(() => globalThis.document.title === 'ready').catch(() => false);
  await pollUntil(isReady, 'the page to load');
  return page;
}

/** Creates a contender that makes the calls of a round in the page. By default, that is one call of one byte. */
export function contenderFor(
  name: string,
  page: BenchPage,
  call: string,
  load: Partial<Load> = {},
): Contender {
  const whole = { bytes: 1, samples: 1, ...load };
  return { name, run: () => page.evaluate((...[named, sent]) => bench.measure(named, sent), call, whole) };
}

/** Makes each round of a contender start with workers that are stopped. */
export function afterSleep({ name, run }: Contender, ...extensions: readonly BenchExtension[]): Contender {
  return {
    name,
    async run() {
      await Promise.all(extensions.map((extension) => extension.stopWorker()));
      await sleep(REST);
      return run();
    },
  };
}

/** Compares the first series with each of the others. There is a goal for each of these. */
export function compare(
  scenario: string,
  [measured, ...others]: readonly Series[],
  goals: readonly number[],
  unit: Comparison['unit'] = 'ms',
): Comparison[] {
  return others.flatMap((against, index) =>
    measured === undefined ? [] : [{ scenario, unit, measured, against, goal: goals[index] ?? Infinity }],
  );
}
