import { expect, it, vi } from 'vitest';

import type { CallOptions } from '../../src/messaging/client/client.ts';
import type { ObservedCall } from '../../src/messaging/define/observe.ts';
import { type CounterHandlers, createCounterWorld, fireAdd, logOf } from '../support/counter-world.ts';
import type { CounterApi } from '../support/counter.ts';
import type { MemoryPage } from '../support/memory-world.ts';

type Page = MemoryPage<CounterApi>;

const READ = ['popup', 'query', 'counter.read', 1];

const hanging = { 'counter.read': () => new Promise<never>(() => {}) };

const read = ({ client }: Page, options: CallOptions): Promise<unknown> =>
  client.query('counter.read', undefined, options).catch(() => {});

/** Creates a world whose observer records all facts about each call, and its outcome. */
function createObservedWorld(handlers: Partial<CounterHandlers> = {}) {
  const seen: unknown[][] = [];
  const observe = ({ caller, kind, name, attempts, connection, ...rest }: ObservedCall) => {
    const call = [caller.name, kind, name, attempts, ...Object.values(rest)];
    return (outcome: string) => void seen.push([...call, outcome]);
  };
  return { world: createCounterWorld(handlers, { observe }), seen };
}

it.each<[string, unknown[], Partial<CounterHandlers>, (page: Page) => unknown]>([
  ['is answered', [...READ, 'value'], {}, (page) => read(page, {})],
  [
    'fails',
    [...READ, 'INTERNAL'],
    { 'counter.read': () => Promise.reject(new Error('no')) },
    (page) => read(page, {}),
  ],
  ['is aborted', [...READ, 'ABORTED'], hanging, (page) => read(page, { signal: AbortSignal.timeout(20) })],
  [
    'loses its page',
    [...READ, 'DISCONNECTED'],
    hanging,
    (page) => {
      void read(page, { timeout: 5_000 });
      setTimeout(page.close);
    },
  ],
  [
    'is ended by its handler',
    ['popup', 'subscription', 'counter.watch', 1, 'end'],
    {
      'counter.watch': async function* () {
        yield 1;
      },
    },
    async ({ client }) => {
      for await (const _ of client.subscribe('counter.watch'));
    },
  ],
])('an observer sees a call that %s', async (_what, expected, handlers, call) => {
  const { world, seen } = createObservedWorld(handlers);

  await call(world.openPage('popup'));

  await vi.waitFor(() => expect(seen).toEqual([expected]));
});

it('an observer sees how often a mutation was sent', async () => {
  const { world, seen } = createObservedWorld();
  world.killWorkerAt('after-commit');

  await world.openPage('options').client.mutate('counter.add', 1);

  expect(seen).toContainEqual(['options', 'mutation', 'counter.add', 2, 'value']);
});

it('an observer tells apart the connections of pages with the same caller', async () => {
  const connections: unknown[] = [];
  const observe = ({ connection }: ObservedCall) => void connections.push(connection);
  const world = createCounterWorld({}, { observe });
  const [first, second] = [world.openPage('popup').client, world.openPage('popup').client];

  for (const client of [first, second, first]) await client.query('counter.read');

  expect(connections).toEqual([1, 2, 1]);
});

it.each<[when: string, observe: () => () => void]>([
  ['at the start of', () => broken()],
  ['at the end of', () => broken],
])('an observer that throws %s a call changes nothing, and is logged', async (_when, observe) => {
  const world = createCounterWorld({}, { observe });

  const counts = [await world.openPage('options').client.mutate('counter.add', 1), await fireAdd(world)];

  expect([counts, logOf(world)]).toEqual([[1, 2], Array(2).fill('Error: broken')]);
});

function broken(): never {
  throw new Error('broken');
}
