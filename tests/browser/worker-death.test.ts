import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { buildWatchedExtension, launchBuiltExtension } from '../support/built-extension.ts';

/** Keeps the state of the watched extension in IndexedDB. */
const indexedDb = { name: 'indexed-db', config: () => ({ define: { IS_INDEXED_DB: 'true' } }) };

const KILLS = inject('isSoak') ? 1_000 : 20;

/** Milliseconds that 99 of 100 calls may take. With other tests on a busy machine they may take longer. */
const MOST_MS = inject('isSoak') ? 500 : 60_000;

/** As many as people have open. Eight keep two cores of Firefox busy: its 99th percentile is then 0.6 s. */
const PAGES = 4;

/** Most milliseconds between two kills. The mean is half of it. */
const MAX_PAUSE = 400;

it.each([
  ['storage.local', []],
  ['IndexedDB', [indexedDb]],
])('answers every call once while the worker is killed again and again, over %s', async (store, plugins) => {
  const extension = await launchBuiltExtension(await buildWatchedExtension(plugins));
  const views: View[] = [];
  for (let count = 0; count < PAGES; count += 1) views.push(await extension.open('options.html'));
  await Promise.all(views.map((view) => view.evaluate(startLoad)));

  for (let count = 0; count < KILLS; count += 1) {
    await sleep(Math.random() * MAX_PAUSE);
    await extension.stopWorker();
  }

  const loads = await Promise.all(views.map((view) => view.evaluate(endLoad)));
  const counter = await views[0]?.evaluate(() => watched.query('counter.read'));
  const durations = loads.flatMap((load) => load.durations).toSorted((a, b) => a - b);
  const replies = loads.flatMap((load) => load.replies);
  const [p50, p99] = [0.5, 0.99].map((share) => durations[Math.floor(durations.length * share)]);
  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ store, KILLS, counter, p50, p99 })}`);
  expect(loads.flatMap(({ failures }) => failures)).toEqual([]);
  expect(counter).toBe(replies.length);
  expect(new Set(replies).size).toBe(replies.length);
  expect(replies.length).toBeGreaterThan(KILLS);
  expect(p99).toBeLessThanOrEqual(MOST_MS);
});

/** What one page saw. */
interface Load {
  /** What each mutation was answered; all differ when each took effect once. */
  readonly replies: number[];
  /** What calls ended in that were not answered. */
  readonly failures: string[];
  /** Milliseconds that each call took. */
  readonly durations: number[];
}

/** Runs in the page: mutations one after the other, and queries at the same time, until the load is ended. */
function startLoad(): void {
  const load: Load = { replies: [], failures: [], durations: [] };
  let isOver = false;

  async function repeat(call: () => Promise<number>, pause: number): Promise<void> {
    while (!isOver) {
      const start = performance.now();
      await call().catch((error: unknown) => load.failures.push(String(error)));
      load.durations.push(performance.now() - start);
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  const running = [
    repeat(async () => load.replies.push(await watched.mutate('counter.add', 1)), 0),
    repeat(() => watched.query('counter.read'), 5),
  ];
  const end = async (): Promise<Load> => {
    isOver = true;
    await Promise.all(running);
    return load;
  };
  Object.assign(globalThis, { endLoad: end });
}

function endLoad(): Promise<Load> {
  return (globalThis as unknown as { endLoad: () => Promise<Load> }).endLoad();
}
