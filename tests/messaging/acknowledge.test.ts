import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { contentScript, defineCallers } from '../../src/messaging/callers.ts';
import { defineFeature } from '../../src/messaging/feature.ts';
import { proceduresFor } from '../../src/messaging/procedures.ts';
import { type CounterWorld, createCounterWorld } from '../support/counter-world.ts';
import { counter, type CounterApi, counterFeature, MOST } from '../support/counter.ts';
import { createFeatureWorld } from '../support/feature-world.ts';
import { createMemoryWorld, type MemoryPage, WORLD } from '../support/memory-world.ts';
import { never, rejectionOf, sleep } from '../support/promises.ts';
import { ask, callOf } from '../support/raw-calls.ts';
import { openScriptedClient, value } from '../support/scripted-client.ts';
import { recordStore, refusing } from '../support/store-faults.ts';

type Page = MemoryPage<CounterApi>;

/** Returns the outcomes in the journal. */
const outcomesIn = ({ disk }: Pick<CounterWorld, 'disk'>): readonly unknown[] =>
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

  it('leaves the journal also when an earlier one has left it over the same port', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');

    await client.mutate('counter.add', 1);
    await expectNoOutcome(world);
    await client.mutate('counter.add', 1);

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
  const { 'counter.add': add, 'counter.read': read } = counterFeature.procedures;
  const procedures = {
    'counter.add': { ...add, callers: ['options', 'popup'] as const },
    'counter.read': read,
  };
  const world = createFeatureWorld(procedures, [counter]);
  const options = world.openPage('options').openRawPort();
  await ask(options, callOf('counter.add', { page: 'known' }));

  const popup = world.openPage('popup').openRawPort();
  popup.post({ kind: 'ack', id: 1, page: 'known' });
  await ask(popup, callOf('counter.read'));
  await vi.waitFor(() => expect(world.disk.keys()).toContain('journal'));

  expect(outcomesIn(world)).toEqual([1]);
});

it('an acknowledgement of a content script that has as many open calls as it may is ignored', async () => {
  const callers = defineCallers({
    content: contentScript({ matches: ['https://example.org/*'], maxCalls: 1 }),
  });
  const { query, mutation } = proceduresFor(callers);
  const feature = defineFeature({
    documents: [counter],
    procedures: {
      'counter.add': mutation({
        callers: ['content'],
        input: v.number(),
        output: v.number(),
        handle: ({ input, state }) => state.update(counter, (count) => count + input),
      }),
      'text.echo': query({ callers: ['content'], input: v.string(), output: v.string(), handle: never }),
    },
  });
  const world = createMemoryWorld({ callers, features: [feature] });
  const site = 'https://example.org';
  const port = world.openPage({ id: WORLD.id, origin: site, url: `${site}/` }).openRawPort();
  await ask(port, callOf('counter.add'));

  const { page } = callOf('counter.add') as { readonly page: string };
  port.post(callOf('text.echo', { id: 2 }));
  port.post({ kind: 'ack', id: 1, page });
  port.post({ kind: 'abort', id: 2, reason: 'ABORTED' });
  await sleep(0);
  // The lock is free again after an acknowledgement that came before this.
  await ask(port, callOf('counter.add', { id: 3, page: 'other' }));

  expect(outcomesIn(world)).toEqual([1, 2]);
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
