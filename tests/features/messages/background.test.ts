import { expect, it } from 'vitest';

import { type CallRecord, createMessageLog } from '../../../src/features/messages/background.ts';
import type { Observe } from '../../../src/messaging/server/call.ts';
import { createDeferred, rejectionOf } from '../../support/promises.ts';
import { createCounterWorld } from '../../support/counter-world.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';

it('records every call and stream once with its outcome, and without its input and output', async () => {
  const { world, log, look } = createLoggedWorld();
  log.turn(true);
  const [options, popup] = [world.openPage('options').client, world.openPage('popup').client];
  const before = Date.now();

  await popup.query('text.echo', 'confidential');
  await rejectionOf(popup.mutate('counter.add', 1));
  const counts = popup.subscribe('counter.watch');
  await counts.next();
  await counts.return();
  world.killWorkerAt('after-commit');
  await options.mutate('counter.add', 1);

  const { records } = await look();
  expect(records.map(({ at, duration = -1, ...record }) => [at >= before, duration >= 0, record])).toEqual([
    [true, true, { ...call('popup', 'query', 'text.echo'), number: 1, outcome: 'value' }],
    [
      true,
      true,
      { ...call('popup', 'mutation', 'counter.add'), number: 2, outcome: 'FORBIDDEN', hasFailed: true },
    ],
    [true, true, { ...call('popup', 'subscription', 'counter.watch'), number: 3, outcome: 'ABORTED' }],
    // The fourth stays open, because the background that served it has died.
    [true, true, { ...call('options', 'mutation', 'counter.add'), number: 5, outcome: 'value', attempts: 2 }],
  ]);
});

it('shows the latest calls from before it was switched on', async () => {
  const { world, log, look } = createLoggedWorld(4);
  const { client } = world.openPage('popup');
  for (let count = 0; count < 6; count += 1) await client.query('counter.read');
  const before = await look();

  log.turn(true);

  expect(before).toMatchObject({ open: [], records: [], recorded: 0 });
  expect(await look()).toMatchObject({ records: [3, 4, 5, 6].map((number) => ({ number })), recorded: 6 });
});

it('when it is switched off, records nothing and forgets earlier calls, including those that end later', async () => {
  const [started, gate] = [createDeferred(), createDeferred()];
  const { world, log, look } = createLoggedWorld(4, {
    'counter.read': () => {
      started.resolve();
      return gate.promise.then(() => 1);
    },
  });
  const { client } = world.openPage('popup');
  await client.query('text.echo', 'a');
  const running = client.query('counter.read');
  await started.promise;

  log.turn(false);
  await client.query('text.echo', 'b');
  gate.resolve();
  await running;
  log.turn(true);

  expect(await look()).toMatchObject({ open: [], records: [], recorded: 0 });
});

it('keeps only the latest records, yields each once, and counts all of them', async () => {
  const { world, log, look } = createLoggedWorld(4);
  log.turn(true);
  const { client } = world.openPage('popup');
  await client.query('counter.read');
  await look();

  const next = look();
  await client.query('counter.read');
  const [whileOpen, afterOne] = [await next, await look()];
  for (let count = 0; count < 10; count += 1) await client.query('counter.read');

  expect(whileOpen).toMatchObject({ open: [{ number: 2 }], records: [], recorded: 1 });
  expect(afterOne).toMatchObject({ open: [], records: [{ number: 2 }], recorded: 2 });
  expect(await look()).toMatchObject({
    records: [9, 10, 11, 12].map((number) => ({ number })),
    recorded: 12,
  });
});

it('shows open calls while it is on, including those that began before, and then their outcome', async () => {
  const { world, log, look } = createLoggedWorld();
  const { client } = world.openPage('popup');
  const counts = client.subscribe('counter.watch');
  await counts.next();
  log.turn(false);
  const whileOff = await look();

  log.turn(true);
  const whileOpen = await look();
  const ending = look();
  await counts.return();
  const afterwards = await ending;
  log.turn(false);

  const stream = call('popup', 'subscription', 'counter.watch');
  expect(whileOff).toMatchObject({ open: [], records: [] });
  expect(whileOpen.open).toEqual([{ ...stream, number: 1, at: expect.any(Number), outcome: 'open' }]);
  expect(afterwards).toMatchObject({ open: [], records: [{ ...stream, number: 1, outcome: 'ABORTED' }] });
  expect(await look()).toMatchObject({ open: [], records: [] });
});

it('keeps the latest failures with their incident, also while it is off, and no call that its page gave up', async () => {
  const { log, look } = createLoggedWorld();
  const observe: Observe = log.observe;
  const observed = { caller: { name: 'popup' }, kind: 'query', name: 'text.echo', attempts: 1 } as const;
  log.turn(false);

  for (let count = 0; count < 21; count += 1) observe(observed)?.('INTERNAL', '5f0c');
  observe(observed)?.('ABORTED');
  observe(observed)?.('DISCONNECTED');
  observe({ ...observed, kind: 'mutation' })?.('IN_DOUBT');

  const { failures, records } = await look();
  expect(records).toEqual([]);
  expect(failures.map(({ number }) => number)).toEqual([
    ...Array.from({ length: 19 }, (_, index) => index + 3),
    24,
  ]);
  expect(failures[0]).toMatchObject({ outcome: 'INTERNAL', incident: '5f0c' });
});

it('tells the connections of pages apart, and has the start of the background that numbers them', async () => {
  const before = performance.timeOrigin + performance.now();
  const { world, log, look } = createLoggedWorld();
  log.turn(true);

  for (let page = 0; page < 3; page += 1) await world.openPage('options').client.query('counter.read');

  const { records, startedAt } = await look();
  expect(records).toMatchObject([1, 2, 3].map((connection) => ({ caller: 'options', connection })));
  expect(startedAt).toBeGreaterThanOrEqual(before);
});

it('can be read after a call with a name that is not well-formed', async () => {
  const world = createExtensionWorld();
  world.disk.write('recording', { version: 1, data: { isOn: true } });
  const { client } = world.openPage('options');

  const error = await rejectionOf(client.query('\ud83d' as 'extension.info'));

  const batches = client.subscribe('messages.watch');
  expect(error).toMatchObject({ code: 'UNKNOWN_PROCEDURE' });
  expect((await batches.next()).value?.failures).toMatchObject([{ name: '\ufffd' }]);
  await batches.return();
});

it('keeps members of the stored setting that a newer version has added', async () => {
  const world = createExtensionWorld();
  world.disk.write('recording', { version: 1, data: { isOn: false, added: 1 } });
  const { client } = world.openPage('options');

  await client.mutate('recording.set', { isOn: true });

  expect(world.disk.read('recording')).toEqual({ version: 1, data: { isOn: true, added: 1 } });
});

it('records the call that wakes a background', async () => {
  const world = createExtensionWorld();
  world.disk.write('recording', { version: 1, data: { isOn: true } });
  const { client } = world.openPage('options');
  const followed = client.subscribe('preferences.watch');
  await followed.next();
  world.killWorker();
  world.killWorkerAt('before-reply');

  void followed.next();
  await client.query('extension.info');

  let record: CallRecord | undefined;
  for await (const { records } of client.subscribe('messages.watch')) {
    record = records.find(({ name }) => name === 'extension.info');
    if (record) break;
  }
  expect(record).toMatchObject({ caller: 'options', outcome: 'value' });
  expect(record?.attempts).toBeGreaterThan(1);
});

/** Creates a world with a log that is neither on nor off yet. `look` returns the news for one watcher. */
function createLoggedWorld(capacity = 1_000, handlers: Parameters<typeof createCounterWorld>[0] = {}) {
  const log = createMessageLog(capacity);
  const batches = log.watch(new AbortController().signal);
  return {
    log,
    world: createCounterWorld(handlers, { observe: log.observe }),
    look: async () =>
      (await batches.next()).value ?? { startedAt: 0, open: [], records: [], recorded: 0, failures: [] },
  };
}

function call(caller: string, kind: string, name: string): object {
  return { caller, connection: expect.any(Number), kind, name, attempts: 1, hasFailed: false };
}
