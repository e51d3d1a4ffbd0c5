import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension, stores } from '../support/built-extension.ts';

const KILLS = { daily: 6, release: 30, soak: 1_000 }[inject('size')];

/** Milliseconds that 99 of 100 calls may take. The limit is higher next to other tests, because the machine is busy then. */
const MOST_MS = inject('size') === 'soak' ? 3_000 : 60_000;

/** A usual number of open pages. They keep two cores busy in Firefox. */
const PAGES = 4;

/** Longest pause between two kills in ms. The mean is half of it. */
const MAX_PAUSE = 400;

it.each(inject('size') === 'daily' ? stores.slice(0, 1) : stores)(
  'answers every call once and tears no change while the worker is killed again and again, over %s',
  async (store, plugins) => {
    const extension = await launchTestExtension('core', plugins);
    const views: View[] = [];
    for (let count = 0; count < PAGES; count += 1) views.push(await extension.open('options.html'));
    await Promise.all(views.map((view) => view.evaluate(startLoad)));

    for (let count = 0; count < KILLS; count += 1) {
      await sleep(Math.random() * MAX_PAUSE);
      await extension.stopWorker();
    }

    const loads = await Promise.all(views.map((view) => view.evaluate(endLoad, KILLS / PAGES)));
    await extension.stopWorker();
    const counter = await views[0]?.evaluate(() => core.query('counter.read'));
    const records = await views[0]?.evaluate(() => core.query('records.list'));
    const durations = loads.flatMap((load) => load.durations).toSorted((a, b) => a - b);
    const replies = loads.flatMap((load) => load.replies);
    const [p50, p99] = [0.5, 0.99].map((share) => durations[Math.floor(durations.length * share)]);
    console.log(
      `measured: ${inject('browserName')}: ${JSON.stringify({ store, KILLS, counter, records: records?.length, p50, p99 })}`,
    );
    expect(loads.flatMap(({ failures }) => failures)).toEqual([]);
    expect(loads.flatMap(({ torn }) => torn)).toEqual([]);
    expect(counter).toBe(replies.length);
    // Records that were removed are gone, and the others are there.
    expect(records).toEqual(loads.flatMap((load) => load.kept).toSorted());
    expect(new Set(replies).size).toBe(replies.length);
    expect(p99).toBeLessThanOrEqual(MOST_MS);
  },
);

/** Results of one page. */
interface Load {
  /** The answer to each mutation. All differ if each took effect once. */
  readonly replies: number[];
  /** Errors of failed calls. */
  readonly failures: string[];
  /** Milliseconds that each call took. */
  readonly durations: number[];
  /** Ids of the records that must be there in the end. */
  readonly kept: readonly string[];
  /** Lists in which one record of a pair was missing. */
  readonly torn: string[];
}

/** Runs in the page. Makes mutations one after the other, and queries at the same time, until `endLoad` is called. */
function startLoad(): void {
  const load: Load = { replies: [], failures: [], durations: [], kept: [], torn: [] };
  const page = crypto.randomUUID();
  const pairs = new Set<string>();
  // On a busy machine, a call may take longer than the 10 s of the default.
  const patient = { timeout: 60_000 };
  let pairsMade = 0;
  let isOver = false;

  async function repeat(call: () => Promise<void>, pause: number): Promise<void> {
    while (!isOver) {
      const start = performance.now();
      await call().catch((error: unknown) => load.failures.push(String(error)));
      load.durations.push(performance.now() - start);
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** Sets a pair, then removes it, then sets the next one. Each fifth pair is kept, but no more than a list can be read fast. */
  async function change(): Promise<void> {
    const pair = `${page}/${pairsMade}`;
    const isSet = !pairs.has(pair);
    load.replies.push(await core.mutate('pair.change', { pair, isSet }, patient));
    if (isSet) pairs.add(pair);
    else pairs.delete(pair);
    if (!isSet || (pairsMade % 5 === 0 && pairs.size <= 20)) pairsMade += 1;
  }

  async function look(): Promise<void> {
    const ids = new Set(await core.query('records.list', undefined, patient));
    const isTorn = [...ids].some(
      (id) => !ids.has(id.replace(/left$/, 'right')) || !ids.has(id.replace(/right$/, 'left')),
    );
    if (isTorn) load.torn.push([...ids].join());
  }

  const running = [repeat(change, 0), repeat(look, 5)];
  const end = async (least: number): Promise<Load> => {
    while (load.replies.length < least) await new Promise((resolve) => setTimeout(resolve, 50));
    isOver = true;
    await Promise.all(running);
    return { ...load, kept: [...pairs].flatMap((pair) => [`${pair}/left`, `${pair}/right`]) };
  };
  Object.assign(globalThis, { endLoad: end });
}

/** Ends the load of the page when `least` mutations are answered. On a busy machine, the kills are over before that. */
function endLoad(least: number): Promise<Load> {
  return (globalThis as unknown as { endLoad: (least: number) => Promise<Load> }).endLoad(least);
}
