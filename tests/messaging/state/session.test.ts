import * as v from 'valibot';
import { expect, it, vi } from 'vitest';

import type { Json } from '../../../src/messaging/json.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/state/documents.ts';
import type { StateReader } from '../../../src/messaging/state/transaction.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';

const active = defineDocument({ key: 'active', schema: v.number(), initial: 0, lifetime: 'session' });
const tabs = defineCollection({ key: 'tabs', schema: v.string(), lifetime: 'session' });

/** State that the session "first" has stored. */
const stored = {
  active: { version: 1, data: 7 },
  'tabs/7': { version: 1, data: 'one' },
  'tabs/8': { version: 1, data: 'two' },
  total: { version: 1, data: 1 },
  'prepared/active': 'first',
  'prepared/tabs': 'first',
};

/** Creates a world with state of the session "first", in a session with this name. */
function createSessionWorld(name = 'second') {
  const session = vi.fn<() => Promise<string>>(async () => name);
  const created = createNotesWorld({ documents: [active, tabs, notes, total], session, stored });
  const keys = (): string =>
    created.world.disk
      .keys()
      .filter((key) => /^(active|tabs)/.test(key))
      .join();
  return { ...created, session, keys };
}

const look = async (state: StateReader): Promise<Json> => [
  await state.read(active),
  (await state.get(tabs, '7')) ?? null,
  await state.count(tabs),
  (await state.list(tabs)).map(({ id }) => id).join(),
  await state.read(total),
];

it('session state outlives the background, but not the browser', async () => {
  const { world, read, change, session } = createSessionWorld();
  await change((state) => {
    state.write(active, 5);
    state.set(tabs, '7', 'five');
  });

  world.killWorker();
  const after = [await read(look)];
  session.mockImplementation(async () => 'third');
  world.killWorker();
  after.push(await read(look));

  expect(after).toEqual([
    [5, 'five', 1, '7', 1],
    [0, null, 0, '', 1],
  ]);
});

it('session state of an earlier session is removed soon after the first read, and only then', async () => {
  const { read, keys } = createSessionWorld();

  await read((state) => state.read(total));
  const before = keys();
  await read((state) => state.read(active));

  await vi.waitFor(() => expect(keys()).toBe('tabs/7,tabs/8'));
  expect(before).toBe('active,tabs/7,tabs/8');
  await read((state) => state.count(tabs));
  await vi.waitFor(() => expect(keys()).toBe(''));
});

it('the first write of a session removes the state of an earlier one in the same write', async () => {
  const { world, read, change, keys } = createSessionWorld();
  world.killWorkerAt('after-commit');

  await change((state) => state.set(tabs, '9', 'three'));

  expect(keys()).toBe('active,tabs/9');
  expect(await read(look)).toEqual([0, null, 1, '9', 1]);
});

it('asks for the session only when session state is used', async () => {
  const { read, change, session } = createSessionWorld();

  await change((state) => state.write(total, 2));
  await read((state) => state.list(notes));
  const before = session.mock.calls.length;
  await read((state) => Promise.all([state.read(active), state.read(active)]));
  await change((state) => state.write(active, 1));

  expect([before, session.mock.calls.length]).toEqual([0, 1]);
});

it('a call fails if the session is unknown, and the next one asks again', async () => {
  const { read, session } = createSessionWorld('first');
  session.mockRejectedValueOnce(new Error('no session')).mockRejectedValueOnce(new Error('no session'));

  const error = await rejectionOf(read((state) => state.read(active)));

  expect([error.code, await read((state) => state.read(active))]).toEqual(['NOT_READ', 7]);
});

it('session state is not reported as lost after a restart', async () => {
  const { inspect } = createSessionWorld();

  const condition = await inspect();

  expect(condition).toMatchObject({ isEmpty: false, documents: ['total'], absent: [], unreadable: [] });
});

it('two backgrounds of one session do not remove what the other has written', async () => {
  const { world, read, change } = createSessionWorld();
  await read(look);
  // The next call starts a second background, and the first one has not removed anything yet.
  world.detachWorker();
  await change((state) => state.set(tabs, '7', 'new'));

  await vi.waitFor(async () => expect(await read(look)).toEqual([0, 'new', 1, '7', 1]));
});

it('without a session, state lives as long as the background', async () => {
  const { world, read, change } = createNotesWorld({ documents: [active] });
  await change((state) => state.write(active, 7));

  const before = await read((state) => state.read(active));
  world.killWorker();

  expect([before, await read((state) => state.read(active))]).toEqual([7, 0]);
});

it('a query that is slower than a change sees nothing of an earlier session', async () => {
  let failures = 1;
  const { read, change } = createNotesWorld({
    documents: [active],
    session: async () => 'second',
    stored: { active: { version: 1, data: 7 }, 'prepared/active': 'first' },
    patchStore: (disk) => ({
      ...disk,
      // The query tries again to read the proof when the change is written.
      read: async (keys) => {
        if (keys.includes('prepared/active') && failures-- > 0) throw new Error('The disk is busy');
        return disk.read(keys);
      },
    }),
  });

  const seen = read((state) => state.read(active));
  await change((state) => state.write(active, 1));

  expect(await seen).toBe(1);
});
