import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { CallError } from '../../src/messaging/errors.ts';
import { counterContract, counterHandlers } from '../support/counter.ts';
import { createMemoryWorld } from '../support/memory-world.ts';

/**
 * Plays random histories of three pages over the memory world and compares what the pages were answered with what is on
 * the disk. `RUNS` sets how many; `npm run test:soak` plays 1,500.
 */
const RUNS = Number(process.env['RUNS'] ?? 100);
const SEED = process.env['SEED'];

type Fault = 'failing' | 'failing late' | 'hanging';

/** What can happen. Each page is named by its number; `operations` of the disk are faulty. */
type Step =
  | { readonly do: 'mutate'; readonly page: number; readonly timeout: number; readonly abortAfter: number }
  | { readonly do: 'query' | 'cache' | 'close'; readonly page: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'turn'; readonly turns: number }
  | { readonly do: 'kill' | 'detach' }
  | { readonly do: 'disk'; readonly fault: Fault; readonly operations: number };

const page = fc.integer({ min: 0, max: 2 });
const what = <const K extends Step['do']>(...kinds: K[]) => fc.constantFrom(...kinds);
const often = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });

const step: fc.Arbitrary<Step> = fc.oneof(
  often(
    12,
    fc.record({
      do: what('mutate'),
      page,
      timeout: fc.constantFrom(50, 10_000, 60_000),
      // Mostly not at all.
      abortAfter: fc.constantFrom(-1, -1, -1, 0, 3, 30),
    }),
  ),
  often(4, fc.record({ do: what('query'), page })),
  often(4, fc.record({ do: what('wait'), ms: fc.constantFrom(1, 20, 200, 3_000) })),
  often(8, fc.record({ do: what('turn'), turns: fc.integer({ min: 1, max: 60 }) })),
  often(5, fc.record({ do: what('kill', 'detach') })),
  often(2, fc.record({ do: what('cache', 'close'), page })),
  often(
    2,
    fc.record({
      do: what('disk'),
      fault: fc.constantFrom<Fault[]>('failing', 'failing late', 'hanging'),
      operations: fc.integer({ min: 1, max: 4 }),
    }),
  ),
);

/** One history. The wall clock jumps at most once: a jump there and back within one call is not covered. */
interface History {
  readonly steps: readonly Step[];
  /** Before which step the clock jumps, and by how many ms. */
  readonly jumpAt: number;
  readonly jumpBy: number;
}

const histories: fc.Arbitrary<History> = fc.record({
  steps: fc.array(step, { minLength: 200, maxLength: 400 }),
  jumpAt: fc.integer({ min: 0, max: 200 }),
  jumpBy: fc.constantFrom(-2, 2, 30).map((hours) => hours * 60 * 60 * 1_000),
});

/** How one mutation ended. Each adds its own number to the list that the state holds. */
interface Ended {
  readonly page: unknown;
  readonly number: number;
  readonly outcome: 'answered' | CallError['delivery'];
  readonly code?: string;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it(
  `a model of three pages, dying workers, faulty disks and a clock that jumps holds in ${RUNS} random histories`,
  async () => {
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { list, ended } = await play(history);
        calls += ended.length;
        expect(violationsOf(list, ended)).toEqual([]);
      }),
      { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) },
    );
    console.log(`measured: model: ${JSON.stringify({ runs: RUNS, calls })}`);
  },
  RUNS * 6_000,
);

/** Everything that must not be: a duplicate, a loss, a wrong verdict, an order that is not the page's own. */
function violationsOf(list: readonly number[], ended: readonly Ended[]): string[] {
  const violations: string[] = [];
  for (const { number, outcome, code } of ended) {
    const count = list.filter((entry) => entry === number).length;
    const isWrong = outcome === 'answered' ? count !== 1 : count > (outcome === 'unknown' ? 1 : 0);
    if (isWrong)
      violations.push(`${number} took effect ${count} times and ended in ${outcome} ${code ?? ''}`);
  }
  for (const opened of new Set(ended.map((call) => call.page))) {
    const made = new Set(ended.filter((call) => call.page === opened).map(({ number }) => number));
    const taken = list.filter((number) => made.has(number));
    if (taken.some((number, index) => number < (taken[index - 1] ?? 0))) {
      violations.push(`order: ${taken.join()}`);
    }
  }
  return violations;
}

async function play({ steps, jumpAt, jumpBy }: History) {
  let faulty: { readonly fault: Fault; operations: number } | undefined;

  /** Lets the operations of a store fail or hang. */
  function disturb<Arguments extends unknown[], T>(work: (...values: Arguments) => Promise<T>) {
    return async (...values: Arguments): Promise<T> => {
      if (faulty === undefined || faulty.operations === 0) return work(...values);
      faulty.operations -= 1;
      const { fault } = faulty;
      if (fault === 'hanging') await sleep(500);
      if (fault === 'failing') throw new Error('The disk is full');
      const result = await work(...values);
      if (fault === 'failing late') throw new Error('The disk took it and says that it did not');
      return result;
    };
  }

  const world = createMemoryWorld({
    contract: counterContract,
    handlers: {
      ...counterHandlers,
      'counter.read': async ({ state }) => listIn(await state.get('list')).length,
      'counter.add': async ({ input, state }) => {
        const list = listIn(await state.get('list'));
        // Some take their time.
        if (input % 5 === 0) await sleep(40);
        state.set('list', [...list, input]);
        return input;
      },
    },
    patchStore: (store) => ({
      ...store,
      read: disturb(store.read),
      write: disturb(store.write),
      readAll: disturb(store.readAll),
    }),
  });
  const pages = [0, 1, 2].map(() => world.openPage('options'));
  const ended: Ended[] = [];
  const running: Promise<unknown>[] = [];
  let number = 0;

  async function mutate(on: number, timeout: number, abortAfter: number): Promise<void> {
    const made = { page: pages[on], number: (number += 1) };
    const controller = new AbortController();
    if (abortAfter === 0) controller.abort();
    if (abortAfter > 0) setTimeout(() => controller.abort(), abortAfter);
    try {
      await pages[on]?.client.mutate('counter.add', made.number, { timeout, signal: controller.signal });
      ended.push({ ...made, outcome: 'answered' });
    } catch (error) {
      const { delivery, code } = error as CallError;
      ended.push({ ...made, outcome: delivery, code });
    }
  }

  async function query(on: number): Promise<void> {
    await pages[on]?.client.query('counter.read').catch((error: unknown) => {
      if (!(error instanceof CallError)) throw error;
    });
  }

  for (const [index, played] of steps.entries()) {
    if (index === jumpAt) vi.setSystemTime(Date.now() + jumpBy);
    switch (played.do) {
      case 'mutate':
        running.push(mutate(played.page, played.timeout, played.abortAfter));
        break;
      case 'query':
        running.push(query(played.page));
        break;
      case 'wait':
        await vi.advanceTimersByTimeAsync(played.ms);
        break;
      case 'turn':
        for (let turn = 0; turn < played.turns; turn += 1) await Promise.resolve();
        break;
      case 'kill':
        world.killWorker();
        break;
      case 'detach':
        world.detachWorker();
        break;
      case 'cache':
        pages[played.page]?.enterCache();
        pages[played.page]?.client.reconnect();
        break;
      case 'close':
        pages[played.page]?.close();
        pages[played.page] = world.openPage('options');
        break;
      case 'disk':
        faulty = { fault: played.fault, operations: played.operations };
    }
  }
  faulty = undefined;
  // Every deadline is over by then, so an unsettled call shows as a test that does not end.
  await vi.advanceTimersByTimeAsync(200_000);
  await Promise.all(running);
  return { list: listIn(world.disk.read('list')), ended };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const listIn = (value: unknown): readonly number[] => (Array.isArray(value) ? (value as number[]) : []);
