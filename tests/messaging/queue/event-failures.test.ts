import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { ProcedureError } from '../../../src/messaging/wire/errors.ts';
import { defineDocument } from '../../../src/messaging/define/documents.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { addToCounter, type CounterHandlers } from '../../support/counter-world.ts';
import { counter, counterFeature, MOST, testCallers } from '../../support/counter.ts';
import { createEventWorld } from '../../support/event-world.ts';
import { createFeatureWorld } from '../../support/feature-world.ts';
import { isNote } from '../../support/memory-world.ts';
import { never } from '../../support/promises.ts';
import { gone, refusing } from '../../support/store-faults.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

type Poison = CounterHandlers['counter.add'];

/** The input of an event that cannot be carried out. */
const BAD = 13;

const newer = defineDocument({ key: 'newer', schema: v.number(), initial: 0 });
const refused = defineDocument({ key: 'refused', schema: v.number(), initial: 0 });

const broken: Poison = () => Promise.reject(new Error('broken'));

/** Creates a world in which events with the input `BAD` run `poison`. */
function createPoisonedWorld(poison: Poison) {
  const created = createEventWorld(
    (context) => (context.input === BAD ? poison(context) : addToCounter(context)),
    {
      documents: [counter, newer, refused],
      patchStore: refusing((entries) => 'refused' in entries),
    },
  );
  created.world.disk.write('newer', { version: 2, data: 'of later' });
  return created;
}

describe('an event whose handler', () => {
  it.each<[what: string, poison: Poison, code: string]>([
    ['throws', broken, 'INTERNAL'],
    ['throws NOT_READ', () => Promise.reject(new ProcedureError({ code: 'NOT_READ' })), 'NOT_READ'],
    ['does not end', never, 'TIMEOUT'],
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
    expect([isPending, stored]).toMatchObject([true, [{ data: BAD, tries: 7 }]]);
    // After a turn that the disk refuses, its events run again at once, one by one.
    const pauses = timesOf(BAD).map((at, index, all) => Math.round((at - (all[index - 1] ?? at)) / SECOND));
    const expected = [1, 4, 16, 64, 256, 1_024, 3_600, 3_600, 3_600].map(
      (pause) => pause + (code === 'TIMEOUT' ? 5 : 0),
    );
    expect(pauses.filter((pause) => pause > 0)).toEqual(expected);
    expect(ended.mock.calls).toEqual([[`${code} handled`]]);
    expect(log()).toContain(`Error: The event "counter.add" was given up after 10 attempts: ${code}.`);
    // Each failed attempt is logged too.
    expect(log().length).toBeGreaterThanOrEqual(10);
    expect(quarantined().map((text) => JSON.parse(text) as object)).toMatchObject([
      { kind: 'event', name: 'counter.add', data: BAD },
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
  'an asynchronous schema of %s that does not end lets the next event run after the limit of its turn',
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

it('an event gets its input unchanged in each attempt, although its handler has changed it', async () => {
  const inputs: string[] = [];
  const add = proceduresFor(testCallers).mutation({
    callers: ['background'],
    input: v.array(v.string()),
    handle: ({ input }) => {
      inputs.push(input.join());
      input.push('changed');
      if (inputs.length < 3) throw new Error('broken');
    },
  });
  const world = createFeatureWorld({ 'list.add': add });

  world.fire(({ mutate }) => mutate('list.add', ['a', 'b'])).catch(() => {});
  await advance(10 * SECOND);

  expect(inputs).toEqual(['a,b', 'a,b', 'a,b']);
});

describe('a store that fails as a whole', () => {
  it.each<[how: string, failing: Partial<Store>, code: string]>([
    ['rejects reads', { read: gone }, 'NOT_READ'],
    ['rejects lists', { list: gone }, 'NOT_READ'],
    ['never answers reads', { read: never }, 'NOT_READ'],
    ['rejects writes', { write: gone }, 'NOT_STORED'],
  ])(
    'and %s at a start lets events wait, and counts no attempt and no death',
    async (_how, failing, code) => {
      let faults: Partial<Store> = {};
      const { order, leave, start, left, count, log } = createEventWorld(addToCounter, {
        patchStore: (store) => ({
          ...store,
          read: (keys) => ({ ...store, ...faults }).read(keys),
          list: (prefix) => ({ ...store, ...faults }).list(prefix),
          write: (entries) => ({ ...store, ...faults }).write(entries),
        }),
      });
      await leave(2, 4, 8);
      faults = failing;

      await start();
      await advance(200 * SECOND);
      const [ran, stored, lines] = [order().length, left(), log()];
      faults = {};
      await advance(70 * SECOND);

      expect([ran, stored.map(({ data, tries, deaths }) => [data, tries, deaths])]).toEqual([
        0,
        [
          [2, 0, 0],
          [4, 0, 0],
          [8, 0, 0],
        ],
      ]);
      expect([order(), count(), left()]).toEqual([[2, 4, 8], 14, []]);
      // It is tried again after pauses.
      expect([new Set(lines), lines.length < 20]).toEqual([new Set([`ProcedureError: ${code}`]), true]);
    },
  );

  it('and refuses one turn counts no attempt', async () => {
    // A turn writes a second time if its first write is refused.
    let refusals = 2;
    const { add, observed } = createEventWorld(addToCounter, {
      patchStore: refusing((entries) => !isNote(entries) && (refusals -= 1) >= 0),
    });

    const outcome = add(1);
    await advance(5 * SECOND);

    expect([await outcome, observed]).toEqual([1, ['1 NOT_STORED', '1 value']]);
  });

  it('and refuses all but notes counts no attempt, and stores the pause of a failed event later', async () => {
    let isFull = false;
    const { add, left, observed } = createEventWorld(
      (context) => (context.input === BAD ? broken(context) : addToCounter(context)),
      { patchStore: refusing((entries) => isFull && !isNote(entries)) },
    );
    await add(1);
    isFull = true;

    void add(BAD);
    const outcomes = [add(2), add(4), add(8)];
    await advance(200 * SECOND);
    const stored = left().map(({ tries }) => tries);
    isFull = false;
    observed.length = 0;
    await advance(65 * SECOND);

    expect(stored).toEqual([0, 0, 0, 0]);
    expect(await Promise.all(outcomes)).toEqual([3, 7, 15]);
    expect(observed.slice(0, 2)).toEqual(['1 INTERNAL', '1 value']);
    expect(left()).toMatchObject([{ data: BAD }]);
  });
});
