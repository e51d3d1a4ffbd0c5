import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { CallError } from '../../src/messaging/errors.ts';
import type { Store } from '../../src/messaging/server/state.ts';
import { counterContract } from '../support/counter.ts';
import { createMemoryWorld } from '../support/memory-world.ts';

/**
 * Plays random histories of three pages over the memory world and compares what the pages were answered with what is on
 * the disk. `RUNS` sets how many; `npm run test:soak` plays 1,500.
 */
const RUNS = Number(process.env['RUNS'] ?? 100);

/** What can happen. Each page is named by its number. */
type Step =
  | { readonly do: 'mutate'; readonly page: number; readonly timeout: number; readonly abortAfter: number }
  | { readonly do: 'query'; readonly page: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'turn'; readonly turns: number }
  | { readonly do: 'kill' | 'detach' }
  | { readonly do: 'cache' | 'close'; readonly page: number }
  | {
      readonly do: 'disk';
      readonly fault: 'failing' | 'failing late' | 'hanging';
      readonly operations: number;
    };

const page = fc.integer({ min: 0, max: 2 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('mutate' as const),
      page,
      timeout: fc.constantFrom(50, 10_000, 60_000),
      // Mostly not at all.
      abortAfter: fc.constantFrom(-1, -1, -1, 0, 3, 30),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('query' as const), page }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 20, 200, 3_000) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('turn' as const), turns: fc.integer({ min: 1, max: 60 }) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('kill' as const, 'detach' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('cache' as const, 'close' as const), page }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('disk' as const),
      fault: fc.constantFrom('failing' as const, 'failing late' as const, 'hanging' as const),
      operations: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

/** One history. The wall clock jumps at most once: a jump there and back within one call is not covered. */
interface History {
  readonly steps: readonly Step[];
  /** Before which step the clock jumps, and by how many ms. */
  readonly jumpAt: number;
  readonly jumpBy: number;
}

const history: fc.Arbitrary<History> = fc.record({
  steps: fc.array(step, { minLength: 200, maxLength: 400 }),
  jumpAt: fc.integer({ min: 0, max: 200 }),
  jumpBy: fc.constantFrom(-2, 2, 30).map((hours) => hours * 60 * 60 * 1_000),
});

/** How one mutation ended. Each adds its own number to the list that the state holds. */
interface Ended {
  readonly page: unknown;
  readonly number: number;
  readonly outcome: 'answered' | CallError['delivery'];
  readonly code: string;
}

describe('a model of three pages, dying workers, faulty disks and a clock that jumps', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it(`holds in ${RUNS} random histories`, { timeout: RUNS * 6_000 }, async () => {
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(history, async (played) => {
        const { list, ended } = await play(played);
        calls += ended.length;
        expect(violationsOf(list, ended)).toEqual([]);
      }),
      { numRuns: RUNS, ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }) },
    );
    console.log(`measured: model: ${JSON.stringify({ runs: RUNS, calls })}`);
  });

  it('notices that the journal is not looked up', async () => {
    const forgetful = (store: Store): Store => ({
      ...store,
      read: async (key) => (key.startsWith('journal/') ? undefined : store.read(key)),
    });
    // After the first commit of each of ten mutations the worker dies before it answers.
    const steps = Array.from({ length: 10 }, (): Step[] => [
      { do: 'mutate', page: 0, timeout: 10_000, abortAfter: -1 },
      { do: 'turn', turns: 40 },
      { do: 'kill' },
      { do: 'wait', ms: 200 },
    ]).flat();

    const { list, ended } = await play({ steps, jumpAt: 1_000, jumpBy: 0 }, forgetful);

    expect(violationsOf(list, ended)).not.toEqual([]);
  });
});

/** Everything that must not be: a duplicate, a loss, a wrong verdict, an order that is not the page's own. */
function violationsOf(list: readonly number[], ended: readonly Ended[]): string[] {
  const violations: string[] = [];
  for (const { number, outcome, code } of ended) {
    const count = list.filter((entry) => entry === number).length;
    if (count > 1) violations.push(`${number} took effect ${count} times`);
    if (count === 0 && outcome === 'answered') violations.push(`${number} was answered and is lost`);
    if (count === 1 && outcome === 'not-sent')
      violations.push(`${number} took effect and was called not sent`);
    if (count === 1 && outcome === 'handled') violations.push(`${number} took effect and was called ${code}`);
  }
  for (const opened of new Set(ended.map((call) => call.page))) {
    const made = new Set(ended.filter((call) => call.page === opened).map(({ number }) => number));
    const taken = list.filter((number) => made.has(number));
    if (taken.some((number, index) => number < (taken[index - 1] ?? 0)))
      violations.push(`order: ${taken.join()}`);
  }
  return violations;
}

async function play(
  { steps, jumpAt, jumpBy }: History,
  patchStore = (store: Store): Store => store,
): Promise<{ readonly list: readonly number[]; readonly ended: readonly Ended[] }> {
  let faulty: { readonly fault: string; operations: number } | undefined;
  const world = createMemoryWorld({
    contract: counterContract,
    handlers: {
      'counter.read': async ({ state }) => listIn(await state.get('list')).length,
      'counter.add': async ({ input, state }) => {
        const list = listIn(await state.get('list'));
        // Some take their time.
        if (input % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 40));
        state.set('list', [...list, input]);
        return input;
      },
      'counter.watch': async function* () {
        yield 0;
      },
      'bell.ring': () => 0,
      'text.echo': ({ input }) => input,
      'blob.echo': ({ input }) => input,
    },
    patchStore: (store) => patchStore(withFaults(store)),
  });

  function withFaults(store: Store): Store {
    const disturb =
      <Arguments extends unknown[], T>(work: (...values: Arguments) => Promise<T>) =>
      async (...values: Arguments): Promise<T> => {
        if (faulty === undefined || faulty.operations === 0) return work(...values);
        faulty.operations -= 1;
        if (faulty.fault === 'hanging') await new Promise((resolve) => setTimeout(resolve, 500));
        if (faulty.fault === 'failing') throw new Error('The disk is full');
        const result = await work(...values);
        if (faulty.fault === 'failing late') throw new Error('The disk took it and says that it did not');
        return result;
      };
    return {
      ...store,
      read: disturb(store.read),
      write: disturb(store.write),
      readAll: disturb(store.readAll),
    };
  }

  let pages = [0, 1, 2].map(() => world.openPage('options'));
  const ended: Ended[] = [];
  const running: Promise<unknown>[] = [];
  let number = 0;
  for (const [index, played] of steps.entries()) {
    if (index === jumpAt) vi.setSystemTime(Date.now() + jumpBy);
    switch (played.do) {
      case 'mutate': {
        number += 1;
        const made = { page: pages[played.page], number };
        const controller = new AbortController();
        if (played.abortAfter === 0) controller.abort();
        if (played.abortAfter > 0) setTimeout(() => controller.abort(), played.abortAfter);
        const options = { timeout: played.timeout, signal: controller.signal };
        const call = pages[played.page]?.client.mutate('counter.add', number, options);
        running.push(
          Promise.resolve(call).then(
            () => ended.push({ ...made, outcome: 'answered', code: '' }),
            (error: unknown) => {
              const { delivery, code } = error as CallError;
              ended.push({ ...made, outcome: delivery, code });
            },
          ),
        );
        break;
      }
      case 'query':
        running.push(
          Promise.resolve(pages[played.page]?.client.query('counter.read')).catch((error: unknown) => {
            if (!(error instanceof CallError)) throw error;
          }),
        );
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
        pages = pages.with(played.page, world.openPage('options'));
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

function listIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? (value as number[]) : [];
}
