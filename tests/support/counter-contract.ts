import * as v from 'valibot';

import { defineContract, mutation, query, subscription } from '../../src/messaging/contract.ts';

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
