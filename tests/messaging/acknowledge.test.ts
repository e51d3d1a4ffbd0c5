import * as v from 'valibot';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { proceduresFor } from '../../src/messaging/procedures.ts';
import { defineDocument } from '../../src/messaging/state/documents.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { type CounterWorld, createCounterWorld } from '../support/counter-world.ts';
import { type CounterApi, MOST, testCallers } from '../support/counter.ts';
import { createFeatureWorld } from '../support/feature-world.ts';
import type { MemoryPage } from '../support/memory-world.ts';
import { never, rejectionOf, sleep } from '../support/promises.ts';
import { ask, callOf } from '../support/raw-calls.ts';
import { openScriptedClient, value } from '../support/scripted-client.ts';
import { recordStore, refusing } from '../support/store-faults.ts';

type Page = MemoryPage<CounterApi>;

/** Returns the outcomes in the journal. */
const outcomesIn = ({ disk }: CounterWorld): readonly unknown[] =>
  disk
    .keys()
    .filter((key) => key.startsWith('journal/'))
    .flatMap((key) => (disk.read(key) as { readonly outcome?: unknown }).outcome ?? []);

const expectNoOutcome = (world: CounterWorld): Promise<void> =>
  vi.waitFor(() => expect(outcomesIn(world)).toEqual([]));

describe('the outcome of a mutation', () => {
  it.each<[when: string, next: (page: Page) => Promise<unknown>]>([
    ['no call follows', async () => {}],
    ['the next mutation fails', ({ client }) => rejectionOf(client.mutate('counter.add', MOST))],
    [
      'the next mutation is aborted before it is sent',
      ({ client }) => rejectionOf(client.mutate('counter.add', 1, { signal: AbortSignal.abort() })),
    ],
    [
      'the next mutation is aborted after it was sent',
      ({ client }) => {
        const abort = new AbortController();
        const ended = rejectionOf(client.mutate('counter.add', 1, { signal: abort.signal }));
        abort.abort();
        return ended;
      },
    ],
    [
      'the page acknowledges it and closes at once',
      async ({ client, close }) => {
        client.acknowledge();
        await Promise.resolve();
        close();
      },
    ],
  ])('leaves the journal when %s', async (_when, next) => {
    const world = createCounterWorld();
    const page = world.openPage('options');

    await page.client.mutate('counter.add', 1);
    await next(page);

    await vi.waitFor(() => expect(outcomesIn(world)).toEqual([]));
  });

  it('leaves the journal on the page’s next port when the worker dies before it is acknowledged', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');
    await client.mutate('counter.add', 1);
    world.killWorker();
    // The page acknowledges in the next task. By then its port is gone.
    await sleep(0);
    expect(outcomesIn(world)).toEqual([1]);

    await client.query('counter.read');

    await expectNoOutcome(world);
  });

  it('leaves the journal on the page’s next port when the write of the acknowledgement fails', async () => {
    let isFailing = true;
    const patchStore = refusing((entries) => {
      const [key, ...others] = Object.keys(entries);
      const isAcknowledgement = others.length === 0 && key?.startsWith('journal/') === true;
      return isFailing && isAcknowledgement;
    });
    const world = createCounterWorld({}, { patchStore });
    const page = world.openPage('options');
    await page.client.mutate('counter.add', 1);
    await vi.waitFor(() => expect(world.logged.size).toBe(1));
    isFailing = false;
    expect(outcomesIn(world)).toEqual([1]);

    page.client.reconnect();
    await page.client.query('counter.read');

    await expectNoOutcome(world);
  });

  it.each<[what: string, call: (page: Page) => Promise<unknown>, acknowledgements: number]>([
    ['with an output is acknowledged once', ({ client }) => client.mutate('counter.add', 1), 1],
    ['without an output is not acknowledged', ({ client }) => client.mutate('counter.tick'), 0],
  ])('%s', async (_what, call, acknowledgements) => {
    const kinds: string[] = [];
    const world = createCounterWorld(
      {},
      {
        patchPort: (port) => ({
          ...port,
          onMessage: (listener) =>
            port.onMessage((message) => {
              kinds.push(...(message as readonly { readonly kind: string }[]).map(({ kind }) => kind));
              listener(message);
            }),
        }),
      },
    );
    const page = world.openPage('options');
    await call(page);
    await expectNoOutcome(world);
    await page.client.query('counter.read');

    for (let port = 0; port < 3; port += 1) {
      page.client.reconnect();
      await page.client.query('counter.read');
    }
    page.client.acknowledge();
    await page.client.query('counter.read');

    expect(kinds.filter((kind) => kind === 'ack')).toHaveLength(acknowledgements);
  });
});

it('a page acknowledges its last mutation again if only an earlier one was confirmed', async () => {
  const { client, frames, settle, answer } = openScriptedClient();
  for (const id of [1, 2]) {
    void client.mutate('counter.add', 1);
    await settle();
    await answer(value(id));
    await settle();
  }
  const acknowledged = (): number[] => frames.flatMap(({ kind, id }) => (kind === 'ack' ? [id] : []));
  const before = acknowledged();

  await answer({ kind: 'acked', id: 1 });
  client.acknowledge();
  await settle();
  await answer({ kind: 'acked', id: 2 });
  client.acknowledge();
  await settle();

  expect([before, acknowledged()]).toEqual([
    [1, 2],
    [1, 2, 2],
  ]);
});

it('one caller cannot acknowledge the outcome of another', async () => {
  const world = createCounterWorld();
  const options = world.openPage('options').openRawPort();
  await ask(options, callOf('counter.add', { page: 'known' }));

  const popup = world.openPage('popup').openRawPort();
  popup.post({ kind: 'ack', id: 1, page: 'known' });
  await ask(popup, callOf('counter.read'));
  await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));

  expect(outcomesIn(world)).toEqual([1]);
});

it('20,000 acknowledgements in one message do not keep other pages from the lock', async () => {
  const { patchStore, locks } = recordStore();
  const world = createCounterWorld({}, { patchStore });
  const greedy = world.openPage('options').openRawPort();
  await ask(greedy, callOf('counter.add', { page: 'greedy' }));
  const ids = Array.from({ length: 20_000 }, (_, index) => index + 1);

  greedy.post(...ids.map((id) => ({ kind: 'ack', id, page: 'greedy' })));
  await Promise.resolve();
  const count = await world.openPage('options').client.mutate('counter.tick');

  expect([count, world.disk.dataOf('counter')]).toEqual([undefined, 2]);
  await expectNoOutcome(world);
  expect(locks()).toBeLessThan(10);
});

describe('a mutation that holds the lock for five seconds', () => {
  const numberOf = (isHanging: () => boolean) =>
    v.pipeAsync(
      v.number(),
      v.checkAsync(() => (isHanging() ? never() : true)),
    );

  /** Creates a world in which the part with this name never ends. */
  function createHangingWorld(part: string) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let hanging = part;
    const isHanging = (name: string) => () => hanging === name;
    const sum = defineDocument({
      key: 'sum',
      schema: numberOf(isHanging('the schema of a document')),
      initial: 0,
    });
    let late: unknown;
    const procedure = proceduresFor(testCallers).mutation({
      callers: ['options'],
      input: v.number(),
      output: numberOf(isHanging('the schema of the output')),
      handle: async ({ input, state }) => {
        if (hanging === 'the handler') {
          await sleep(6_000);
          late = await Promise.resolve()
            .then(() => state.write(sum, 99))
            .catch(String);
        }
        return state.update(sum, (old) => old + input);
      },
    });
    const patchStore = (store: Store): Store => ({
      ...store,
      read: (keys) => (hanging === 'a read' && keys.includes('sum') ? never() : store.read(keys)),
      write: async (entries) => {
        if (hanging === 'the write') await sleep(8_000);
        await store.write(entries);
      },
    });
    const world = createFeatureWorld({ 'sum.add': procedure }, [sum], { patchStore });
    const add = (input: number, timeout?: number) =>
      world.openPage('options').client.mutate('sum.add', input, timeout === undefined ? {} : { timeout });
    return { world, add, late: () => late, recover: () => (hanging = '') };
  }

  it.each(['the handler', 'a read', 'the schema of the output', 'the schema of a document'])(
    'because of %s ends in TIMEOUT, and its late changes are refused',
    async (part) => {
      const { world, add, late, recover } = createHangingWorld(part);

      const ended = rejectionOf(add(1, 600_000));
      await vi.advanceTimersByTimeAsync(4_900);
      recover();
      const next = add(10);
      await vi.advanceTimersByTimeAsync(5_000);

      expect(await ended).toMatchObject({ code: 'TIMEOUT', delivery: 'handled' });
      expect([await next, world.disk.dataOf('sum')]).toEqual([10, 10]);
      const refusal = expect.stringContaining('only until it ends or runs out of time');
      expect(late()).toEqual(part === 'the handler' ? refusal : undefined);
    },
  );

  it('because of its write keeps the lock, and is answered', async () => {
    const { world, add, recover } = createHangingWorld('the write');

    const answers = [add(1, 600_000), add(10)];
    await vi.advanceTimersByTimeAsync(7_000);
    recover();
    const before = world.disk.dataOf('sum');
    await vi.advanceTimersByTimeAsync(2_000);

    expect([before, await Promise.all(answers)]).toEqual([undefined, [1, 11]]);
  });
});
