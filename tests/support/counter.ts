import type { Handlers } from '../../src/messaging/server/server.ts';
import type { counterContract } from './counter-contract.ts';

/** What the bell was rung so far, in this process or worker. */
export const rings = { count: 0 };

/** The most that the counter counts to. */
export const MOST = 1_000_000;

export const counterHandlers: Handlers<typeof counterContract> = {
  'counter.read': async ({ state }) => readCount(await state.get('counter')),
  'counter.add': async ({ input, state, fail }) => {
    const count = readCount(await state.get('counter')) + input;
    if (count > MOST) throw fail('tooHigh', { most: MOST });
    state.set('counter', count);
    return count;
  },
  'counter.watch': async function* ({ state }) {
    for await (const value of state.watch('counter')) yield readCount(value);
  },
  'bell.ring': () => (rings.count += 1),
  'text.echo': ({ input }) => input,
  'blob.echo': ({ input }) => input,
};

function readCount(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
