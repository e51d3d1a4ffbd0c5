import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, it, vi } from 'vitest';

import { createMessageLog } from '../../src/background/message-log.ts';
import type { CallRecord, RecordBatch } from '../../src/contract/messages.ts';
import { createDeferred } from '../support/create-deferred.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

function createLoggedWorld(handlers: Parameters<typeof createCounterWorld>[0] = {}, capacity?: number) {
  const log = createMessageLog(capacity);
  log.turn(true);
  return { log, world: createCounterWorld(handlers, { observe: log.observe }) };
}

/** The records of the first look. */
async function lookAt(log: ReturnType<typeof createMessageLog>): Promise<RecordBatch> {
  const { value } = await log.watch(new AbortController().signal).next();
  return value ?? { records: [], dropped: 0 };
}

function summaryOf({ records }: RecordBatch): (readonly [string, string, CallRecord['outcome'], number])[] {
  return records.map(({ caller, name, outcome, attempts }) => [caller, name, outcome, attempts]);
}

describe('everything can be watched', () => {
  it('leaves one record of every call and every stream, whatever the outcome', async () => {
    const { world, log } = createLoggedWorld();
    const [options, popup] = [world.openPage('options').client, world.openPage('popup').client];

    await options.mutate('counter.add', 1);
    await rejectionOf(popup.mutate('counter.add', 1));
    await rejectionOf(options.mutate('counter.add', -1));
    const counts = popup.subscribe('counter.watch');
    await counts.next();
    await counts.return();
    await popup.query('counter.read');

    expect(summaryOf(await lookAt(log))).toEqual([
      ['options', 'counter.add', 'value', 1],
      ['popup', 'counter.add', 'FORBIDDEN', 1],
      ['options', 'counter.add', 'INVALID_INPUT', 1],
      ['popup', 'counter.watch', 'ABORTED', 1],
      ['popup', 'counter.read', 'value', 1],
    ]);
  });

  it('records start and duration, and neither input nor output', async () => {
    const { world, log } = createLoggedWorld();
    const before = Date.now();

    await world.openPage('popup').client.query('text.echo', 'confidential');
    const [record] = (await lookAt(log)).records;

    expect(record).toMatchObject({ number: 1, kind: 'query', duration: expect.any(Number) });
    expect(record?.at).toBeGreaterThanOrEqual(before);
    expect(record?.duration).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(record)).not.toContain('confidential');
  });

  it('distinguishes a deadline, an abort and a closed page', async () => {
    let started = 0;
    const { world, log } = createLoggedWorld({
      'counter.read': () => {
        started += 1;
        return new Promise(() => {});
      },
    });
    const { client } = world.openPage('popup');
    const leaving = world.openPage('popup');
    const controller = new AbortController();

    const ended = [
      rejectionOf(client.query('counter.read', undefined, { timeout: 1_000 })),
      rejectionOf(client.query('counter.read', undefined, { signal: controller.signal })),
      rejectionOf(leaving.client.query('counter.read', undefined, { timeout: 1_000 })),
    ];
    await vi.waitFor(() => expect(started).toBe(3));
    controller.abort();
    leaving.close();
    await Promise.all(ended);

    // The page may be the first to know of its deadline.
    await vi.waitFor(async () => {
      const outcomes = (await lookAt(log)).records.map(({ outcome }) => outcome);
      expect(outcomes.toSorted()).toEqual(['ABORTED', 'DISCONNECTED', 'TIMEOUT']);
    });
  });

  it('counts how often a call was sent', async () => {
    const { world, log } = createLoggedWorld();
    world.killWorkerAt('after-commit');

    await world.openPage('options').client.mutate('counter.add', 1);

    expect(summaryOf(await lookAt(log))).toContainEqual(['options', 'counter.add', 'value', 2]);
  });

  it('records nothing while it is off', async () => {
    const { world, log } = createLoggedWorld();
    log.turn(false);

    await world.openPage('popup').client.query('counter.read');

    expect(await lookAt(log)).toEqual({ records: [], dropped: 0 });
  });

  it('shows calls from before it was switched on, and does not count older ones as dropped', async () => {
    const log = createMessageLog(4);
    const world = createCounterWorld({}, { observe: log.observe });
    const { client } = world.openPage('popup');
    const batches = log.watch(new AbortController().signal);
    for (let count = 0; count < 6; count += 1) await client.query('counter.read');
    const before = await batches.next();

    log.turn(true);

    expect(before.value).toEqual({ records: [], dropped: 0 });
    const { value } = await batches.next();
    expect(value?.records.map(({ number }) => number)).toEqual([3, 4, 5, 6]);
    expect(value?.dropped).toBe(0);
  });

  it('forgets calls from before it was switched off', async () => {
    const log = createMessageLog();
    const gate = createDeferred();
    const world = createCounterWorld(
      { 'counter.read': () => gate.promise.then(() => 1) },
      { observe: log.observe },
    );
    const { client } = world.openPage('popup');
    await client.query('text.echo', 'a');
    const running = client.query('counter.read');
    await sleep(5);

    log.turn(false);
    gate.resolve();
    await running;
    log.turn(true);

    expect(await lookAt(log)).toEqual({ records: [], dropped: 0 });
  });

  it('keeps the latest records only, and says how many a slow watcher missed', async () => {
    const { world, log } = createLoggedWorld({}, 4);
    const { client } = world.openPage('popup');
    const batches = log.watch(new AbortController().signal);
    await batches.next();

    for (let count = 0; count < 10; count += 1) await client.query('counter.read');
    const { value } = await batches.next();

    expect(value?.records.map(({ number }) => number)).toEqual([7, 8, 9, 10]);
    expect(value?.dropped).toBe(6);
  });

  it('continues with new records, each once', async () => {
    const { world, log } = createLoggedWorld();
    const { client } = world.openPage('popup');
    const batches = log.watch(new AbortController().signal);
    await client.query('counter.read');
    await batches.next();

    const next = batches.next();
    await client.query('counter.read');

    expect((await next).value?.records.map(({ number }) => number)).toEqual([2]);
  });

  it('stops watching with the signal', async () => {
    const { log } = createLoggedWorld();
    const controller = new AbortController();
    const batches = log.watch(controller.signal);
    await batches.next();
    const next = batches.next();

    controller.abort();

    expect((await next).done).toBe(true);
  });
});
