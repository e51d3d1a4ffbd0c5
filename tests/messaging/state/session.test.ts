import * as v from 'valibot';
import { expect, it, vi } from 'vitest';

import type { Json } from '../../../src/messaging/wire/json.ts';
import { MARK, toMark } from '../../../src/messaging/state/job.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/define/documents.ts';
import type { StateReader } from '../../../src/messaging/define/handler-state.ts';
import { createNotesWorld, total } from '../../support/notes-world.ts';
import { adopting } from '../../support/old-world.ts';
import { rejectionOf } from '../../support/promises.ts';
import { recordStore } from '../../support/store-faults.ts';
import { ring } from '../../support/task-world.ts';

const active = defineDocument({ key: 'active', schema: v.number(), initial: 0, lifetime: 'session' });
const tabs = defineCollection({ key: 'tabs', schema: v.string(), lifetime: 'session' });

/** State that the session "first" has stored. */
const stored = {
  active: { version: 1, data: 7 },
  'tabs/7': { version: 1, data: 'one' },
  'tabs/8': { version: 1, data: 'two' },
  total: { version: 1, data: 1 },
  'prepared/definitions': { adopted: [], session: 'first', current: ['active', 'tabs'] },
};

type SessionWorld = ReturnType<typeof createSessionWorld>;

/** Creates a world with state of the session "first", in a session with this name. */
function createSessionWorld(name = 'second', others: Readonly<Record<string, Json>> = {}) {
  const session = vi.fn<() => Promise<string>>(async () => name);
  const created = createNotesWorld({
    documents: [active, tabs, total],
    tasks: [ring],
    session,
    stored: { ...stored, ...others },
  });
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

it.each<[use: string, use: (created: SessionWorld) => unknown, left: string]>([
  ['read', ({ read }) => read((state) => state.read(total)), ''],
  ['list of tasks', ({ read }) => read((state) => state.list(ring)), ''],
  ['write', ({ change }) => change((state) => state.set(tabs, '9', 'three')), 'tabs/9'],
])('the first %s of a session removes the state of an earlier one', async (_use, use, left) => {
  const created = createSessionWorld();
  created.world.killWorkerAt('after-commit');

  await use(created);

  await vi.waitFor(() => expect(created.keys()).toBe(left));
  created.world.killWorker();
  expect(await created.read((state) => state.read(active))).toBe(0);
});

it('state that was not of a session before is removed in the session that is current', async () => {
  const proof = { adopted: [], session: 'first', current: ['active'] };
  const { read, keys } = createSessionWorld('first', { 'prepared/definitions': proof });

  expect(await read(look)).toEqual([7, null, 0, '', 1]);
  await vi.waitFor(() => expect(keys()).toBe('active'));
});

it('a background without session state does not ask for the session', async () => {
  const session = vi.fn<() => Promise<string>>(async () => 'second');
  const { read, change } = createNotesWorld({ documents: [total], session });

  await change((state) => state.write(total, 2));
  await read((state) => state.read(total));

  expect(session).not.toHaveBeenCalled();
});

it('a call fails if the session is unknown, and the next one asks again', async () => {
  const { read, session } = createSessionWorld('first');
  session.mockRejectedValueOnce(new Error('no session'));

  const error = await rejectionOf(read((state) => state.read(active)));

  expect([error.code, await read((state) => state.read(active))]).toEqual(['NOT_READ', 7]);
});

it('session state is not reported as lost after a restart', async () => {
  const { inspect } = createSessionWorld();

  const condition = await inspect();

  expect(condition).toMatchObject({ isEmpty: false, documents: ['total'], absent: [], unreadable: [] });
});

it('without a session, state lives as long as the background', async () => {
  const { world, read, change } = createNotesWorld({ documents: [active] });
  await change((state) => state.write(active, 7));

  const before = await read((state) => state.read(active));
  world.killWorker();

  expect([before, await read((state) => state.read(active))]).toEqual([7, 0]);
});

it('the session is read once in each background', async () => {
  const { read, session } = createSessionWorld('first');

  await read(look);
  await read(look);

  expect(session).toHaveBeenCalledTimes(1);
});

it('the session is not read, and no keys are listed, if no definition needs it', async () => {
  const session = vi.fn<() => Promise<string>>(async () => 'first');
  const { patchStore, lists } = recordStore();
  const documents = [adopting('adopted', ['old'])];
  const { read } = createNotesWorld({
    documents,
    session,
    patchStore,
    stored: { old: 'data', [MARK]: toMark(0, true) },
  });

  const adopted = await read((state) => state.read(documents[0] as (typeof documents)[0]));

  expect(adopted).toBe('old');
  // Only the journal is listed, to prune it.
  await vi.waitFor(() => expect(new Set(lists)).toEqual(new Set(['journal/'])));
  expect(session).not.toHaveBeenCalled();
});
