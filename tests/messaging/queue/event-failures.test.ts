import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { ProcedureError } from '../../../src/messaging/errors.ts';
import { defineDocument } from '../../../src/messaging/define/documents.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { addToCounter, type CounterHandlers } from '../../support/counter-world.ts';
import { counter, counterFeature, MOST } from '../../support/counter.ts';
import { createEventWorld, isNote } from '../../support/event-world.ts';
import { createFeatureWorld } from '../../support/feature-world.ts';
import { never } from '../../support/promises.ts';
import { doubt, gone, holding, refusing } from '../../support/store-faults.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

type Poison = CounterHandlers['counter.add'];

/** The input of an event that cannot be carried out. */
const BAD = 13;

const unread = defineDocument({ key: 'unread', schema: v.number(), initial: 0 });
const newer = defineDocument({ key: 'newer', schema: v.number(), initial: 0 });
const refused = defineDocument({ key: 'refused', schema: v.number(), initial: 0 });

const broken: Poison = () => Promise.reject(new Error('broken'));

/** Creates a world in which events with the input `BAD` run `poison`. */
function createPoisonedWorld(poison: Poison, patchStore = (store: Store): Store => store) {
  const refusesOne = refusing((entries) => 'refused' in entries);
  const created = createEventWorld(
    (context) => (context.input === BAD ? poison(context) : addToCounter(context)),
    {
      documents: [counter, unread, newer, refused],
      patchStore: (store) => patchStore(holding('unread', 1n)(refusesOne(store))),
    },
  );
  created.world.disk.write('newer', { version: 2, data: 'of later' });
  return created;
}

describe('an event whose handler', () => {
  it.each<[what: string, poison: Poison, code: string]>([
    ['throws', broken, 'INTERNAL'],
    ['throws NOT_READ', () => Promise.reject(new ProcedureError({ code: 'NOT_READ' })), 'NOT_READ'],
    ['throws IN_DOUBT', () => Promise.reject(new ProcedureError({ code: 'IN_DOUBT' })), 'IN_DOUBT'],
    ['does not end', never, 'TIMEOUT'],
    ['changes a value that cannot be kept', ({ state }) => (state.write(unread, 1), 1), 'NOT_READ'],
    ['changes a document of a newer version', ({ state }) => (state.write(newer, 1), 1), 'READ_ONLY'],
    ['writes a value that the disk refuses', ({ state }) => (state.write(refused, 1), 1), 'NOT_STORED'],
  ])('%s is given up after ten attempts, and others overtake it', async (_what, poison, code) => {
    const { timesOf, add, left, quarantined, log, count } = createPoisonedWorld(poison);
    const ended = vi.fn<(outcome: unknown) => void>();

    const others = [add(1)];
    void add(BAD).then(ended);
    others.push(add(2), add(3));
    await advance(7 * SECOND);
    const soon = await Promise.all(others);
    await advance(HOUR);
    const isPending = ended.mock.calls.length === 0;
    const stored = left();
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
    expect(log()).toContain(`Error: The event "counter.add" was given up after 10 attempts: ${code}.`);
    expect(quarantined().map((text) => JSON.parse(text))).toMatchObject([
      [{ name: 'counter.add', input: BAD }],
    ]);
    expect([left(), count()]).toEqual([[], 6]);
  });

  it.each([2, -2])('is tried again when the clock is changed by %d hours during its pause', async (hours) => {
    const { observed, add } = createPoisonedWorld(broken);
    void add(BAD);
    await advance(30 * SECOND);
    const before = observed.length;

    vi.setSystemTime(Date.now() + hours * HOUR);
    // The timer of the pause still runs.
    await advance(60 * SECOND);

    const attempts = [1, 2, 3, 4, 5].map((attempt) => `${attempt} INTERNAL`);
    expect([before, observed]).toEqual([4, attempts]);
  });
});

it.each<[of: string, part: string, input: number]>([
  ['an input', 'input', 1],
  ['an output', 'output', 1],
  ['a declared error', 'tooHigh', MOST + 1],
])(
  'an asynchronous schema of %s that does not end leaves the lock after its limit',
  async (_of, part, input) => {
    let validations = 0;
    const hanging = v.pipeAsync(
      v.any(),
      v.checkAsync(() => ((validations += 1) === 1 ? never() : true)),
    );
    const schemas = part === 'tooHigh' ? { errors: { tooHigh: hanging } } : { [part]: hanging };
    const add = { ...counterFeature.procedures['counter.add'], ...schemas };
    const world = createFeatureWorld({ 'counter.add': add }, [counter]);

    world.fire(({ mutate }) => mutate('counter.add', input)).catch(() => {});
    const count = world.fire(({ mutate }) => mutate('counter.add', 2));
    await advance(5 * SECOND + 10);

    expect([await count, validations > 0]).toEqual([2, true]);
  },
);

describe('a store that fails as a whole', () => {
  it.each<[how: string, failing: Partial<Store>]>([
    ['rejects reads', { read: gone }],
    ['rejects writes', { write: gone }],
    ['refuses the lock', { lock: gone }],
    ['never answers reads', { read: never }],
  ])('and %s holds the line, and counts no attempt', async (_how, failing) => {
    let faults: Partial<Store> = {};
    const { add, left, log } = createEventWorld(addToCounter, {
      patchStore: (store) => ({
        read: (keys) => ({ ...store, ...faults }).read(keys),
        list: (prefix) => ({ ...store, ...faults }).list(prefix),
        write: (entries) => (isNote(entries) ? store : { ...store, ...faults }).write(entries),
        lock: (work) => ({ ...store, ...faults }).lock(work),
      }),
    });
    await add(1);
    faults = failing;

    const outcomes = [add(2), add(4), add(8)];
    await advance(200 * SECOND);
    const stored = left();
    faults = {};
    await advance(70 * SECOND);

    expect(stored.map(({ input, tries }) => [input, tries])).toEqual([
      [2, 0],
      [4, 0],
      [8, 0],
    ]);
    expect(await Promise.all(outcomes)).toEqual([3, 7, 15]);
    expect(log()).toContainEqual(expect.stringMatching(/^ProcedureError: (NOT_READ|NOT_STORED|TIMEOUT)$/));
  });

  it.each([
    ['was made', true, ['IN_DOUBT unknown', 'IN_DOUBT unknown']],
    ['was not made', false, [1, 3]],
  ])(
    'leaves a change in doubt, and it takes effect once if its write %s',
    async (_what, isMade, expected) => {
      const { patchStore, recover } = doubt({ isMade, isMeant: (entries) => 'counter' in entries });
      const { add, left, count, listed } = createPoisonedWorld(broken, patchStore);

      // The failing event keeps their group.
      const outcomes = [add(1), add(BAD), add(2)];
      await advance(500);
      recover();
      await advance(3 * SECOND);

      expect(await Promise.all([outcomes[0], outcomes[2]])).toEqual(expected);
      expect([count(), listed]).toEqual([3, []]);
      expect(left()).toMatchObject([{ input: BAD, tries: 2 }]);
    },
  );

  it('counts no attempt at an event whose change is in doubt', async () => {
    const { patchStore, recover } = doubt({ isMade: false, isMeant: (entries) => 'counter' in entries });
    const { add, observed, log } = createEventWorld(addToCounter, { patchStore });

    const outcome = add(5);
    await advance(500);
    recover();
    await advance(5 * SECOND);

    expect([await outcome, observed]).toEqual([5, ['1 IN_DOUBT', '1 value']]);
    expect(log()).toEqual(['ProcedureError: IN_DOUBT']);
  });
});
