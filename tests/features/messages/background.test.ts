import { expect, it } from 'vitest';

import { createMessageLog } from '../../../src/features/messages/background.ts';
import type { Observe } from '../../../src/messaging/define/observe.ts';
import { first, rejectionOf } from '../../support/promises.ts';
import { createCounterWorld } from '../../support/counter-world.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';

it('records every call and stream once with its outcome, and without its input and output', async () => {
  const [before, start] = [Date.now(), performance.timeOrigin + performance.now()];
  const { world, look } = createLoggedWorld();
  const [options, popup] = [world.openPage('options').client, world.openPage('popup').client];

  await popup.query('text.echo', 'confidential');
  await rejectionOf(popup.mutate('counter.add', 1));
  const counts = popup.subscribe('counter.watch');
  await counts.next();
  await counts.return();
  world.killWorkerAt('after-commit');
  await options.mutate('counter.add', 1);

  const { startedAt, records } = await look();
  const ended = records.filter(({ outcome }) => outcome !== 'open');
  expect(startedAt).toBeGreaterThanOrEqual(start);
  expect(ended.every(({ at, duration = -1 }) => at >= before && duration >= 0)).toBe(true);
  expect(ended.map(({ at: _at, duration: _duration, ...record }) => record)).toEqual([
    { ...call('popup', 'query', 'text.echo'), number: 1, outcome: 'value' },
    { ...call('popup', 'mutation', 'counter.add'), number: 2, outcome: 'FORBIDDEN', hasFailed: true },
    { ...call('popup', 'subscription', 'counter.watch'), number: 3, outcome: 'ABORTED' },
    // The fourth stays open, because the background that served it has died.
    { ...call('options', 'mutation', 'counter.add'), number: 5, outcome: 'value', attempts: 2 },
  ]);
  expect(records.find(({ outcome }) => outcome === 'open')).toMatchObject({ number: 4, connection: 2 });
});

it('has the open calls, and yields again when one begins or ends', async () => {
  const { world, look } = createLoggedWorld();
  const before = await look();

  const opening = look();
  const counts = world.openPage('popup').client.subscribe('counter.watch');
  await counts.next();
  const whileOpen = await opening;
  const ending = look();
  await counts.return();

  const stream = { ...call('popup', 'subscription', 'counter.watch'), number: 1 };
  expect(before).toMatchObject({ records: [] });
  expect(whileOpen).toMatchObject({ records: [{ ...stream, outcome: 'open' }] });
  expect(await ending).toMatchObject({ records: [{ ...stream, outcome: 'ABORTED' }] });
});

it('keeps only the latest records, and more of the latest failures with their incident', async () => {
  const { log, look } = createLoggedWorld(4);
  const observe: Observe = log.observe;
  const observed = { caller: { name: 'popup' }, kind: 'query', name: 'text.echo', attempts: 1 } as const;

  for (let count = 0; count < 21; count += 1) observe(observed)?.('INTERNAL', '5f0c');
  for (const outcome of ['value', 'later', 'ABORTED', 'DISCONNECTED', 'NOT_READ'] as const)
    observe(observed)?.(outcome);

  const { records, failures } = await look();
  expect(records.map(({ number }) => number)).toEqual([23, 24, 25, 26]);
  expect(failures.map(({ number }) => number)).toEqual([
    ...Array.from({ length: 19 }, (_, index) => index + 3),
    26,
  ]);
  expect(failures[0]).toMatchObject({ outcome: 'INTERNAL', incident: '5f0c' });
});

it('records the call that wakes a background', async () => {
  const world = createExtensionWorld();
  const { client } = world.openPage('options');
  await client.query('extension.info');
  world.killWorker();

  await client.query('extension.info');

  const log = await first(client.subscribe('messages.watch'));
  expect(log?.records[0]).toMatchObject({ caller: 'options', name: 'extension.info', outcome: 'value' });
});

/** Creates a world with a log. `look` returns the next value for one watcher. */
function createLoggedWorld(capacity = 1_000) {
  const log = createMessageLog(capacity);
  const logs = log.watch(new AbortController().signal);
  return {
    log,
    world: createCounterWorld({}, { observe: log.observe }),
    look: async () => (await logs.next()).value ?? { startedAt: 0, records: [], failures: [] },
  };
}

function call(caller: string, kind: string, name: string): object {
  // The popup and the options page are the first connections of their backgrounds.
  return { caller, connection: 1, kind, name, attempts: 1, hasFailed: false };
}
