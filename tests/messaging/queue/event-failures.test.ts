import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { ProcedureError } from '../../../src/messaging/errors.ts';
import { defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineDocument } from '../../../src/messaging/state/documents.ts';
import type { Entries, Store } from '../../../src/messaging/state/store.ts';
import {
  addToCounter,
  type CounterHandlers,
  eventsIn,
  fireAdd,
  logOf,
  outcomeOf,
  quarantineIn,
} from '../../support/counter-world.ts';
import { counter, counterFeature, MOST, testCallers } from '../../support/counter.ts';
import { withHandlers } from '../../support/handlers.ts';
import { createMemoryWorld } from '../../support/memory-world.ts';
import { never, sleep } from '../../support/promises.ts';
import { doubt, gone, holding, refusing } from '../../support/store-faults.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

type Poison = CounterHandlers['counter.add'];

/** The input of an event that cannot be carried out. */
const BAD = 13;

const unread = defineDocument({ key: 'unread', schema: v.number(), initial: 0 });
const newer = defineDocument({ key: 'newer', schema: v.number(), initial: 0 });
const refused = defineDocument({ key: 'refused', schema: v.number(), initial: 0 });

/** Creates a world in which events with the input `BAD` run `poison`. Returns also the times at which an input ran. */
function createPoisonedWorld(poison: Poison, patchStore = (store: Store): Store => store) {
  const ran: { readonly input: number; readonly at: number }[] = [];
  const outcomes: string[] = [];
  const procedures = withHandlers(counterFeature.procedures, {
    'counter.add': async (context) => {
      ran.push({ input: context.input, at: Date.now() });
      return context.input === BAD ? poison(context) : addToCounter(context);
    },
  });
  const observe = () => (outcome: string) => void outcomes.push(outcome);
  const world = createMemoryWorld({
    callers: testCallers,
    features: [{ ...counterFeature, documents: [counter, unread, newer, refused], procedures, observe }],
    patchStore: (store) => {
      const refusesOne = refusing((entries) => 'refused' in entries)(store);
      return patchStore(holding('unread', 1n)(refusesOne));
    },
  });
  world.disk.write('newer', { version: 2, data: 'of later' });
  return {
    world,
    outcomes,
    timesOf: (input: number) => ran.filter((run) => run.input === input).map(({ at }) => at),
    add: (input: number) => outcomeOf(fireAdd(world, input)),
  };
}

const POISONS: readonly [what: string, poison: Poison, code: string][] = [
  ['throws', () => Promise.reject(new Error('broken')), 'INTERNAL'],
  ['throws NOT_READ', () => Promise.reject(new ProcedureError({ code: 'NOT_READ' })), 'NOT_READ'],
  ['throws IN_DOUBT', () => Promise.reject(new ProcedureError({ code: 'IN_DOUBT' })), 'IN_DOUBT'],
  ['does not end', never, 'TIMEOUT'],
  ['changes a value that cannot be kept', ({ state }) => (state.write(unread, 1), 1), 'NOT_READ'],
  ['changes a document of a newer version', ({ state }) => (state.write(newer, 1), 1), 'READ_ONLY'],
  ['writes a value that the disk refuses', ({ state }) => (state.write(refused, 1), 1), 'NOT_STORED'],
];

describe('an event whose handler', () => {
  it.each(POISONS)(
    '%s is given up after ten attempts, and others overtake it',
    async (_what, poison, code) => {
      const { world, timesOf, add } = createPoisonedWorld(poison);
      const ended = vi.fn<(outcome: unknown) => void>();

      const others = [add(1)];
      void add(BAD).then(ended);
      others.push(add(2), add(3));
      await advance(7 * SECOND);
      const soon = await Promise.all(others);
      await advance(HOUR);
      const isPending = ended.mock.calls.length === 0;
      const stored = eventsIn(world);
      await advance(4 * HOUR);

      expect(soon).toEqual([1, 3, 6]);
      expect([isPending, stored]).toMatchObject([true, [{ input: BAD, tries: 7 }]]);
      // After a turn that the disk refuses, its events run again at once, one by one.
      const pauses = timesOf(BAD).map((at, index, all) => Math.round((at - (all[index - 1] ?? at)) / SECOND));
      const expected = [1, 4, 16, 64, 256, 1_024, 3_600, 3_600, 3_600].map(
        (pause) => pause + (code === 'TIMEOUT' ? 5 : 0),
      );
      expect(pauses.filter((pause) => pause > 0)).toEqual(expected);
      expect(ended.mock.calls).toEqual([[`${code} handled`]]);
      expect(logOf(world)).toContain(
        `Error: The event "counter.add" was given up after 10 attempts: ${code}.`,
      );
      expect(quarantineIn(world).map((text) => JSON.parse(text))).toMatchObject([
        [{ name: 'counter.add', input: BAD }],
      ]);
      expect([eventsIn(world), world.disk.dataOf('counter')]).toEqual([[], 6]);
    },
  );

  it('fails for a while is carried out later, and observers see each attempt', async () => {
    let isBroken = true;
    const { world, outcomes, add } = createPoisonedWorld((context) => {
      if (isBroken) throw new Error('broken');
      return addToCounter(context);
    });

    const ended = add(BAD);
    await advance(3 * SECOND);
    isBroken = false;
    await advance(3 * SECOND);

    expect([await ended, outcomes, eventsIn(world)]).toEqual([BAD, ['INTERNAL', 'INTERNAL', 'value'], []]);
  });

  it('ends after the limit of the lock can no longer change anything, and pages are served', async () => {
    let late: unknown;
    const { world, add } = createPoisonedWorld(async ({ state, signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await Promise.resolve();
      late = await Promise.resolve()
        .then(() => state.write(counter, 99))
        .catch(String);
    });
    void add(BAD);
    await advance(1);

    const answer = world.openPage('options').client.mutate('counter.add', 1);
    await advance(5 * SECOND);

    expect([await answer, late]).toEqual([
      1,
      expect.stringContaining('only until it ends or runs out of time'),
    ]);
    expect(world.disk.dataOf('counter')).toBe(1);
  });

  it.each([2, -2])('is tried again when the clock is changed by %d hours during its pause', async (hours) => {
    const { timesOf, add } = createPoisonedWorld(() => Promise.reject(new Error('broken')));
    void add(BAD);
    await advance(30 * SECOND);
    const before = timesOf(BAD).length;

    vi.setSystemTime(Date.now() + hours * HOUR);
    // The timer of the pause still runs.
    await advance(60 * SECOND);

    expect([before, timesOf(BAD).length]).toEqual([4, 5]);
  });
});

it.each<[what: string, input: number, ended: string]>([
  ['a declared error', MOST + 1, 'DECLARED handled'],
  ['an input that does not fit', 0.5, 'INVALID_INPUT handled'],
])('an event that ends in %s is not tried again', async (_what, input, ended) => {
  const { world, add } = createPoisonedWorld(addToCounter);

  const outcomes = [add(input), add(1)];
  await advance(10);

  expect(await Promise.all(outcomes)).toEqual([ended, 1]);
  expect([eventsIn(world), quarantineIn(world), world.logged.size]).toEqual([[], [], 1]);
});

describe('an asynchronous schema that does not end', () => {
  const slow = v.pipeAsync(
    v.number(),
    v.checkAsync((input) => (input === BAD ? never() : true)),
  );

  it.each<[of: string, schemas: object]>([
    ['an input', { input: slow }],
    ['an output', { input: v.number(), output: slow }],
    ['a declared error', { input: v.number(), errors: { bad: slow } }],
  ])('of %s leaves the lock after its limit', async (_of, schemas) => {
    const { mutation } = proceduresFor(testCallers);
    const procedure = mutation({
      callers: ['options', 'background'],
      ...schemas,
      handle: ({ input, fail }: { input?: unknown; fail: (name: never, data: never) => Error }) => {
        if ('errors' in schemas && input === BAD) throw fail('bad' as never, BAD as never);
        return input as never;
      },
    } as never);
    const world = createMemoryWorld({
      callers: testCallers,
      features: [counterFeature, defineFeature({ procedures: { 'slow.make': procedure } })],
    });

    world.fire(({ mutate }) => mutate('slow.make' as never, BAD as never)).catch(() => {});
    const count = fireAdd(world, 2);
    await advance(5 * SECOND + 10);

    expect(await count).toBe(2);
  });
});

describe('a store that fails as a whole', () => {
  it.each<[how: string, failing: Partial<Store>]>([
    ['rejects reads', { read: gone }],
    ['rejects writes', { write: gone }],
    ['refuses the lock', { lock: gone }],
    ['never answers reads', { read: never }],
  ])('and %s holds the line, and counts no attempt', async (_how, failing) => {
    let isGone = false;
    const { world, add } = createPoisonedWorld(addToCounter, (store) => {
      const storeFor = (entries: Entries = {}): Store =>
        isGone && !('queue/noted' in entries) ? { ...store, ...failing } : store;
      return {
        read: (keys) => storeFor().read(keys),
        list: (prefix) => storeFor().list(prefix),
        write: (entries) => storeFor(entries).write(entries),
        lock: (work) => storeFor().lock(work),
      };
    });
    await add(1);
    isGone = true;

    const outcomes = [add(2), add(BAD), add(3)];
    await advance(200 * SECOND);
    const stored = eventsIn(world);
    isGone = false;
    await advance(70 * SECOND);

    expect(stored.map(({ input, tries }) => [input, tries])).toEqual([
      [2, 0],
      [BAD, 0],
      [3, 0],
    ]);
    expect(await Promise.all(outcomes)).toEqual([3, 16, 19]);
    expect(logOf(world)).toContainEqual(
      expect.stringMatching(/^ProcedureError: (NOT_READ|NOT_STORED|TIMEOUT)$/),
    );
  });

  it.each([
    ['was made', true, ['IN_DOUBT unknown', 'IN_DOUBT unknown']],
    ['was not made', false, [1, 3]],
  ])(
    'leaves a change in doubt, and it takes effect once if its write %s',
    async (_what, isMade, expected) => {
      const { patchStore, recover } = doubt({ isMade, isMeant: (entries) => 'counter' in entries });
      const { world, timesOf, add } = createPoisonedWorld(
        () => Promise.reject(new Error('broken')),
        patchStore,
      );

      // The failing event keeps their group.
      const outcomes = [add(1), add(BAD), add(2)];
      await advance(500);
      recover();
      await advance(3 * SECOND);

      expect(await Promise.all([outcomes[0], outcomes[2]])).toEqual(expected);
      expect([world.disk.dataOf('counter'), timesOf(BAD).length > 1]).toEqual([3, true]);
      expect(eventsIn(world).map(({ input }) => input)).toEqual([BAD]);
    },
  );

  it('does not stop events if each read takes longer than a turn', async () => {
    const { add } = createPoisonedWorld(addToCounter, (store) => ({
      ...store,
      read: async (keys) => {
        await sleep(60);
        return store.read(keys);
      },
    }));

    const outcomes = [add(1), add(2)];
    await advance(2 * SECOND);

    expect(await Promise.all(outcomes)).toEqual([1, 3]);
  });

  it('does not stop events if it takes longer than a turn to parse them', async () => {
    const { add } = createPoisonedWorld(addToCounter);
    const now = performance.now();
    let calls = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now + 60 * (calls += 1));

    const outcomes = [add(1), add(2)];
    await advance(2 * SECOND);

    expect(await Promise.all(outcomes)).toEqual([1, 3]);
  });
});
