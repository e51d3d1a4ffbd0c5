import * as v from 'valibot';
import { expect, it, vi } from 'vitest';

import type { Json } from '../../../src/messaging/json.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/state/documents.ts';
import type { StateReader } from '../../../src/messaging/state/transaction.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';

const active = defineDocument({ key: 'active', schema: v.number(), initial: 0, lifetime: 'session' });
const tabs = defineCollection({ key: 'tabs', schema: v.string(), lifetime: 'session' });

/** Creates a world whose browser can be restarted. */
function createSessionWorld() {
  const session = vi.fn<() => Promise<string>>(async () => 'first');
  const created = createNotesWorld({ documents: [active, tabs, notes, total], session });
  const restart = (name = 'second'): void => {
    created.world.killWorker();
    session.mockImplementation(async () => name);
  };
  const fill = () =>
    created.change((state) => {
      state.write(active, 7);
      state.set(tabs, '7', 'one');
      state.set(tabs, '8', 'two');
      state.write(total, 1);
    });
  const keys = (): string =>
    created.world.disk
      .keys()
      .filter((key) => /^(active|tabs)/.test(key))
      .join();
  return { ...created, session, restart, fill, keys };
}

const look = async (state: StateReader): Promise<Json> => [
  await state.read(active),
  (await state.get(tabs, '7')) ?? null,
  await state.count(tabs),
  (await state.list(tabs)).map(({ id }) => id).join(),
  await state.read(total),
];

it('session state outlives the background, but not the browser', async () => {
  const { world, read, fill, restart } = createSessionWorld();
  await fill();

  world.killWorker();
  const after = [await read(look)];
  restart();
  after.push(await read(look));

  expect(after).toEqual([
    [7, 'one', 2, '7,8', 1],
    [0, null, 0, '', 1],
  ]);
});

it('session state of an earlier session is removed soon after the first read, and only then', async () => {
  const { read, fill, restart, keys } = createSessionWorld();
  await fill();
  restart();

  await read((state) => state.read(total));
  const before = keys();
  await read((state) => state.read(active));

  await vi.waitFor(() => expect(keys()).toBe('tabs/7,tabs/8'));
  expect(before).toBe('active,tabs/7,tabs/8');
  await read((state) => state.count(tabs));
  await vi.waitFor(() => expect(keys()).toBe(''));
});

it('the first write of a session removes the state of an earlier one in the same write', async () => {
  const { world, read, change, fill, restart, keys } = createSessionWorld();
  await fill();
  restart();
  world.killWorkerAt('after-commit');

  await change((state) => state.set(tabs, '9', 'three'));

  expect(keys()).toBe('active,tabs/9');
  expect(await read(look)).toEqual([0, null, 1, '9', 1]);
});

it('a mutation that reads before it writes sees nothing of an earlier session', async () => {
  const { read, change, fill, restart } = createSessionWorld();
  await fill();
  restart();

  const seen = await change(async (state) => {
    const before = await look(state);
    await state.update(active, (count) => count + 1);
    return before;
  });

  expect([seen, await read((state) => state.read(active))]).toEqual([[0, null, 0, '', 1], 1]);
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
  const { read, session, fill, restart } = createSessionWorld();
  await fill();
  restart('first');
  session.mockRejectedValueOnce(new Error('no session')).mockRejectedValueOnce(new Error('no session'));

  const error = await rejectionOf(read((state) => state.read(active)));

  expect([error.code, await read((state) => state.read(active))]).toEqual(['NOT_READ', 7]);
});

it('is not reported as lost after a restart', async () => {
  const { fill, restart, inspect } = createSessionWorld();
  await fill();
  restart();

  const condition = await inspect();

  expect(condition).toMatchObject({
    isEmpty: false,
    documents: ['total'],
    absent: [],
    unreadable: [],
  });
});

it('a full disk does not bring state of an earlier session back', async () => {
  const { world, read, change, fill, restart } = createSessionWorld();
  await fill();
  restart();
  world.disk.failWrites(new Error('The disk is full'));

  const seen = await read(look);
  const error = await rejectionOf(change((state) => state.write(active, 9)));
  const after = await read(look);
  world.disk.failWrites(undefined);
  await change((state) => state.write(active, 9));

  expect([seen, error.code, after]).toEqual([[0, null, 0, '', 1], 'NOT_STORED', [0, null, 0, '', 1]]);
  expect(await read((state) => state.read(active))).toBe(9);
});

it('two backgrounds of one session do not remove what the other has written', async () => {
  const { world, read, change, fill, restart } = createSessionWorld();
  await fill();
  restart();
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
  const { world, read, change } = createNotesWorld({
    documents: [active],
    session: async () => 'second',
    patchStore: (disk) => ({
      ...disk,
      // The query tries again to read the proof when the change is written.
      read: async (keys) => {
        if (keys.includes('prepared/active') && failures-- > 0) throw new Error('The disk is busy');
        return disk.read(keys);
      },
    }),
  });
  world.disk.write('active', { version: 1, data: 7 });
  world.disk.write('prepared/active', 'first');

  const seen = read((state) => state.read(active));
  await change((state) => state.write(active, 1));

  expect(await seen).toBe(1);
});
