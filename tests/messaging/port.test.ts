import { expect, it, vi } from 'vitest';

import type { ServerFrame } from '../../src/messaging/wire/frames.ts';
import { createCounterWorld, outcomeOf } from '../support/counter-world.ts';
import { rejectionOf } from '../support/promises.ts';
import { openAsking, openScriptedClient, value } from '../support/scripted-client.ts';
import { withFakeTimers } from '../support/time.ts';

withFakeTimers();

const SILENT = { status: 'failed', reason: 'silent' };

it('a port is reopened at once eight times, and then after growing pauses of at most 2 s', async () => {
  const { losePort, opened } = await openAsking();
  const waits: number[] = [];

  for (let losses = 1; losses <= 12; losses += 1) {
    const [before, lostAt] = [opened(), Date.now()];
    await losePort();
    while (opened() === before) await vi.advanceTimersToNextTimerAsync();
    waits.push(Date.now() - lostAt);
  }

  expect(waits).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 512, 1_024, 2_000, 2_000]);
});

it('a port is not reopened earlier for a call that is made during the back-off', async () => {
  const { askAgain, losePort, opened } = await openAsking();
  for (let losses = 1; losses <= 9; losses += 1) await losePort();

  await askAgain();
  const whileWaiting = opened();
  await vi.advanceTimersByTimeAsync(512);

  expect([whileWaiting, opened()]).toEqual([9, 10]);
});

it('a port is replaced while it is silent, each time after twice as long', async () => {
  const { opened } = await openAsking();
  const [start, openedAt] = [Date.now(), [0]];

  while (openedAt.length < 6) {
    await vi.advanceTimersToNextTimerAsync();
    while (openedAt.length < opened()) openedAt.push(Date.now() - start);
  }

  expect(openedAt).toEqual([0, 5_000, 15_000, 35_000, 75_000, 155_000]);
});

it('a port is replaced while it is silent, although a call runs out of time before that', async () => {
  const world = createCounterWorld();
  const { client } = world.openPage('options');
  world.mute(true);
  const ask = async (): Promise<unknown> => {
    const outcome = outcomeOf(client.query('counter.read', undefined, { timeout: 4_000 }));
    await vi.advanceTimersByTimeAsync(4_000);
    return outcome;
  };

  const whileSilent = await ask();
  world.mute(false);

  expect([whileSilent, await ask()]).toEqual(['TIMEOUT unknown', 0]);
});

it('a port is kept after the only call was aborted, because the background confirms that call too', async () => {
  const { client } = createCounterWorld().openPage('options');
  const abort = new AbortController();
  const aborted = outcomeOf(client.query('counter.read', undefined, { signal: abort.signal }));
  abort.abort();

  await vi.advanceTimersByTimeAsync(60_000);

  expect([await aborted, client.connection.state().status]).toEqual(['ABORTED unknown', 'awake']);
});

it('a port gets a call once that a listener makes when an earlier call has run out of time', async () => {
  const { client, posted, opened, ask, asked, answer, losePort } = await openAsking(1_000);
  let made: Promise<unknown> | undefined;
  client.connection.onChange(() => {
    if (client.connection.state().status === 'asleep') made ??= ask();
  });
  // The page was frozen, so its timers are late.
  vi.setSystemTime(Date.now() + 60_000);

  await losePort();
  await answer(value(2));

  expect(await Promise.all([rejectionOf(asked), made])).toMatchObject([{ code: 'TIMEOUT' }, 7]);
  expect([posted().filter(([kind]) => kind === 'query'), opened()]).toEqual([
    [
      ['query', 1, 1],
      ['query', 2, 1],
    ],
    2,
  ]);
});

it.each([
  ['', 0],
  [', although the clock was set back', -3_600_000],
  [', although the clock was set forward', 3_600_000],
])(
  'a port is replaced once on resume if a background has started since its first frame%s',
  async (_, jump) => {
    const { client, askAgain, answer, opened } = await openAsking();
    await answer(value(1));
    vi.setSystemTime(Date.now() + jump);
    const startedAt = Date.now() + 5;
    vi.advanceTimersByTime(10);

    client.resume(startedAt);
    await askAgain();
    await answer(value(2));
    client.resume(startedAt);
    await askAgain();

    expect(opened()).toBe(2);
  },
);

it('a port is kept on resume, and while a confirmed call is slow', async () => {
  const { client, askAgain, answer, opened, state } = await openAsking();
  await answer(value(1));
  await askAgain();
  await answer({ kind: 'ready', id: 2 });
  client.resume();

  await vi.advanceTimersByTimeAsync(30_000);

  expect([opened(), state().status]).toEqual([1, 'awake']);
});

it.each<[what: string, frames: ServerFrame[]]>([
  ['a later call is not confirmed', []],
  ['only another call is confirmed', [{ kind: 'ready', id: 1 }]],
  ['only another call is answered', [value(1)]],
])('a port is replaced after 5 s when it has delivered answers and %s', async (_what, frames) => {
  const { askAgain, answer, opened, state } = await openAsking();
  await askAgain();
  await answer(value(1));
  await askAgain();
  await answer(value(2));

  await answer(frames);
  await vi.advanceTimersByTimeAsync(4_999);
  const before = [opened(), state().status];
  await vi.advanceTimersByTimeAsync(1);

  expect([before, opened(), state()]).toEqual([[1, 'awake'], 2, SILENT]);
});

it('a port is kept while a stream waits for its next value', async () => {
  const { client, settle, answer, opened, posted } = openScriptedClient();
  const counts = client.subscribe('counter.watch');
  void counts.next();
  await settle();
  await answer({ kind: 'next', id: 1, value: 1 });
  void counts.next();
  await settle();

  await vi.advanceTimersByTimeAsync(60_000);

  expect([posted().map(([kind]) => kind), opened()]).toEqual([['subscription', 'pull'], 1]);
});

it('a port is ignored after it was replaced', async () => {
  const { asked, client, settle, answer, losePort, opened } = await openAsking();
  client.reconnect();
  await settle();

  await answer({ kind: 'value', id: 1, value: 8 }, 0);
  await losePort(0);
  await answer(value(1));

  expect([await asked, opened()]).toEqual([7, 2]);
});

it('a port is replaced on request only if a call needs one', async () => {
  const { client, posted, opened, settle, answer, losePort } = openScriptedClient();
  client.reconnect();
  const before = client.connection.state().status;
  const asked = client.query('counter.read');
  await settle();
  client.reconnect();
  await settle();
  await answer(value(1));
  await asked;
  await losePort();
  client.reconnect();

  expect([before, opened(), client.connection.state().status]).toEqual(['asleep', 2, 'asleep']);
  expect(posted().map(([, , attempt]) => attempt)).toEqual([1, 2]);
});
