import * as v from 'valibot';

import { defineContract, mutation, query, subscription } from '../../src/messaging/contract.ts';
import type { Handlers } from '../../src/messaging/server/server.ts';

const Count = v.pipe(v.number(), v.integer());

/** A contract to test the core with: a counter that the popup may read and the options page may change. */
export const counterContract = defineContract({
  'counter.read': query({ callers: ['popup', 'options'], output: Count }),
  'counter.add': mutation({
    callers: ['options'],
    input: v.pipe(v.number(), v.integer(), v.minValue(1)),
    output: Count,
    errors: { tooHigh: v.strictObject({ most: v.number() }) },
  }),
  'counter.watch': subscription({ callers: ['popup', 'options'], output: Count }),
  /** Reaches outside of the state: each call that gets there is counted in `rings`. */
  'bell.ring': mutation({ callers: ['options'], output: Count, effect: 'external' }),
  'text.echo': query({
    callers: ['popup', 'options'],
    input: v.string(),
    output: v.string(),
    maxSize: 1_000,
  }),
  'blob.echo': query({ callers: ['options'], input: v.string(), output: v.string() }),
});

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
