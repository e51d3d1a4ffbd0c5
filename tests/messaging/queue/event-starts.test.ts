import { describe, expect, it } from 'vitest';

import { isJobKey, MARK } from '../../../src/messaging/state/job.ts';
import { addToCounter } from '../../support/counter-world.ts';
import { createEventWorld } from '../../support/event-world.ts';
import { recordStore } from '../../support/store-faults.ts';
import { advance, HOUR, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

describe('events of an earlier background', () => {
  it.each<[deaths: readonly number[], writes: readonly string[], order: readonly number[]]>([
    [
      [0, 0, 0],
      ['counted 1 1 1', 'changed'],
      [1, 2, 3],
    ],
    [
      [1, 0, 0],
      ['counted 2', 'changed', 'counted 1 1', 'changed'],
      [1, 2, 3],
    ],
    [
      [0, 1],
      ['counted 2', 'changed', 'counted 1', 'changed'],
      [2, 1],
    ],
  ])(
    'in which %j backgrounds have died are counted before they run, and those with deaths run first and alone',
    async (deaths, expected, inputs) => {
      const { leaveRecords, restart, writes, order } = createEventWorld();
      leaveRecords(...deaths.map((count) => ({ deaths: count })));

      await restart();

      expect([writes, order()]).toEqual([expected, inputs]);
    },
  );

  it('run before those of this background, of which no death is counted', async () => {
    const { leaveRecords, start, add, order, writes } = createEventWorld();
    leaveRecords({ deaths: 1 }, {});

    void add(9);
    await start();

    expect(order()).toEqual([1, 2, 9]);
    expect(writes).toEqual(['counted 2', 'changed', 'counted 1', 'changed', 'changed']);
  });

  it('are given up after ten failed attempts, each of which is logged once', async () => {
    const { leaveRecords, restart, observed, log, quarantined } = createEventWorld(() =>
      Promise.reject(new Error('broken')),
    );
    leaveRecords({});

    await restart();
    await advance(5 * HOUR);

    // An earlier background may have attempted it.
    expect(observed).toEqual([2, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempt) => `${attempt} INTERNAL`));
    expect([log().length, quarantined().length]).toEqual([11, 1]);
    expect(log().at(-1)).toMatch(/"counter.add" was given up/u);
  });

  it.each<[what: string, parts: object]>([
    ['a name that no procedure has', { name: 'counter.sub' }],
    ['an input that does not fit', { data: 'five' }],
    ['a name that a query has', { name: 'text.echo', data: 'x' }],
  ])('with %s move to the quarantine, and others run', async (_what, parts) => {
    const { leaveRecords, restart, left, quarantined, count, log } = createEventWorld();
    leaveRecords(parts, { data: 5 });

    await restart();

    expect([left(), count()]).toEqual([[], 5]);
    expect(quarantined().map((kept) => JSON.parse(kept) as object)).toMatchObject([parts]);
    expect(log()).toEqual([expect.stringContaining('does not fit this version of the extension')]);
  });

  it.each(['{"kind":', '{"kind":"event"}', ''])(
    'that cannot be read, such as %j, move to the quarantine, and others run',
    async (text) => {
      const { world, leaveRecords, restart, left, mark, quarantined, count } = createEventWorld();
      leaveRecords(text, { data: 5 });

      await restart();

      expect([count(), left(), mark(), quarantined()]).toEqual([5, [], '2 empty', [text]]);
      expect(world.disk.keys().filter(isJobKey)).toEqual([]);
    },
  );
});

describe('a start', () => {
  it('lists no keys if an earlier one has found nothing', async () => {
    const { lists, patchStore } = recordStore();
    const { leaveRecords, restart, mark } = createEventWorld(addToCounter, { patchStore });
    leaveRecords();
    await restart();
    const [first, corrected] = [lists.length, mark()];

    await restart();

    expect([first, corrected, lists.length]).toEqual([1, '0 empty', 1]);
  });

  it.each(['damaged', 'x1', '1x', 1, null])(
    'with the damaged or missing mark %j finds all, and new ones follow',
    async (damaged) => {
      const { world, leaveRecords, restart, add, left, order, mark } = createEventWorld();
      leaveRecords({}, {}, {});
      world.disk.write(MARK, damaged);

      await restart();
      await add(4);

      expect([order(), left(), mark()]).toEqual([[1, 2, 3, 4], [], '4 empty']);
    },
  );

  it('finds an event that is tried again, although others have been carried out since', async () => {
    let isBroken = true;
    const { add, restart, count } = createEventWorld((context) =>
      isBroken && context.input === 5 ? Promise.reject(new Error('broken')) : addToCounter(context),
    );
    void add(5);
    await advance(10);
    expect(await add(1)).toBe(1);
    isBroken = false;

    await restart();

    expect(count()).toBe(6);
  });

  it('asks to be woken when an event is due', async () => {
    const times: number[] = [];
    const { leave, restart } = createEventWorld(() => Promise.reject(new Error('broken')), {
      wakeAt: (time) => times.push(time),
    });
    await leave(5);

    await restart();
    await advance(4 * SECOND);

    const pauses = times.filter((time) => time !== Infinity).map((time) => time - Date.now());
    expect(pauses.at(-1)).toBeGreaterThan(0);
  });
});
