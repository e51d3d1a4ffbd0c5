import { expect, it, vi } from 'vitest';

import type { Json } from '../../../src/messaging/wire/json.ts';
import type { Entries, Store } from '../../../src/messaging/state/store.ts';
import { createCounterWorld } from '../../support/counter-world.ts';
import { ask, callOf } from '../../support/raw-calls.ts';
import { holding, recordStore, refusing } from '../../support/store-faults.ts';
import { advance, HOUR, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const WEEK = 7 * 24 * HOUR;
/** The key of the entry of the options page whose id is "page". */
const OWN = 'journal/options/page';

/** Creates a world with this journal, and opens a port of a page. */
function openWorld(journal: Readonly<Record<string, Json>>, patchStore?: (store: Store) => Store) {
  const world = createCounterWorld({}, patchStore && { patchStore });
  for (const [key, value] of Object.entries(journal)) world.disk.write(key, value);
  return { ...world, port: world.openPage('options').openRawPort() };
}

const MADE = { error: { code: 'ALREADY_MADE' } };

it.each<[what: string, entry: object, expected: object]>([
  ['answers with the outcome of', { id: 2, outcome: 5 }, { value: 5 }],
  ['rejects, after a later mutation of its page,', { id: 3, outcome: 5 }, MADE],
  ['rejects, after its outcome was dropped,', { id: 2 }, MADE],
  ['rejects, with the outcome of another procedure,', { id: 2, name: 'secret.take', outcome: 5 }, MADE],
])('the journal %s a mutation that arrives again', async (_what, entry, expected) => {
  const { patchStore, writes } = recordStore();
  const { port } = openWorld({ [OWN]: { name: 'counter.add', at: Date.now(), ...entry } }, patchStore);

  const [answer] = await ask(port, callOf('counter.add', { id: 2, page: 'page' }));

  expect(answer).toMatchObject(expected);
  expect(writes).toEqual([]);
});

it('a mutation is carried out if the journal has only an earlier one of its page', async () => {
  const { port } = openWorld({ [OWN]: { id: 1, name: 'counter.add', outcome: 5, at: Date.now() } });

  const [answer] = await ask(port, callOf('counter.add', { id: 2, page: 'page' }));

  expect(answer).toMatchObject({ value: 1 });
});

it('a mutation that was stored after room was made takes no effect again when it arrives again', async () => {
  let refusals = 0;
  const earlier = { id: 1, name: 'counter.add', outcome: 5, at: Date.now() };
  const patchStore = refusing((entries) => 'counter' in entries && (refusals += 1) === 1);
  const { port, disk } = openWorld({ [OWN]: earlier }, patchStore);
  const call = callOf('counter.add', { id: 2, page: 'page' });

  const answers = [...(await ask(port, call)), ...(await ask(port, call))];

  expect(answers).toMatchObject([{ value: 1 }, { value: 1 }]);
  expect([refusals, disk.dataOf('counter'), disk.read(OWN)]).toMatchObject([2, 1, { id: 2, outcome: 1 }]);
});

// A row that is an array would be the list of the parameters.
it.each([null, 'text', 7, [[]], {}, { id: 1 }, { id: 1, at: 'now' }, { id: '1', at: 1 }, { at: 1 }])(
  'the journal treats %j as a missing entry, and removes it',
  async (garbage) => {
    const journal = { 'journal/other': garbage, 'journal/third': garbage };
    const { port, disk } = openWorld(journal, holding(OWN, garbage));

    const [answer] = await ask(port, callOf('counter.add', { page: 'page' }));
    await advance(0);

    expect(answer).toMatchObject({ value: 1 });
    expect(disk.keys()).toEqual(['counter', OWN, 'journal']);
  },
);

it('a change prunes the journal: after an hour, the newest hundred entries lose their outcomes, and others are removed', async () => {
  let written: Entries = {};
  const entryOf = (age: number, outcome: { outcome?: number } = { outcome: 1 }) => ({
    id: 1,
    name: 'counter.add',
    at: Date.now() - age,
    ...outcome,
  });
  const newest = Array.from({ length: 95 }, (_, page) => [`journal/${page}`, entryOf(0)] as const);
  const journal = {
    ...Object.fromEntries(newest),
    // The clock was set back.
    'journal/future': entryOf(-HOUR),
    'journal/recent': entryOf(HOUR - 1),
    'journal/dropped': entryOf(HOUR, {}),
    'journal/hundredth': entryOf(HOUR),
    'journal/next': entryOf(HOUR + 1),
    // Keys of events are kept for a week.
    'journal/background/a/recent': entryOf(WEEK - 1, {}),
    'journal/background/a/old': entryOf(WEEK, {}),
  };
  const { port } = openWorld(journal, (disk) => ({
    ...disk,
    write: (entries) => disk.write((written = entries)),
  }));

  port.post(callOf('counter.add'));
  await advance(0);

  expect(written).toEqual({
    'journal/future': entryOf(-HOUR, {}),
    'journal/hundredth': entryOf(HOUR, {}),
    'journal/next': null,
    'journal/background/a/old': null,
    journal: Date.now(),
  });
});

it('the journal is pruned at most once an hour, also by the next background', async () => {
  const { openPage, disk, killWorker } = openWorld({});
  const start = Date.now();
  const prunedAt: unknown[] = [];

  async function changeAt(time: number): Promise<void> {
    vi.setSystemTime(start + time);
    await openPage('options').client.mutate('counter.tick');
    await advance(0);
    prunedAt.push(Number(disk.read('journal')) - start);
  }
  for (const time of [0, HOUR - 1, HOUR, HOUR + 1]) await changeAt(time);
  killWorker();
  await changeAt(HOUR + 2);

  expect(prunedAt).toEqual([0, 0, HOUR, HOUR, HOUR]);
});
