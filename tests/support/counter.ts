import * as v from 'valibot';

import { defineCallers, page } from '../../src/messaging/callers.ts';
import { defineContract, mutation, query, subscription } from '../../src/messaging/contract.ts';
import type { Handlers } from '../../src/messaging/server/background.ts';
import { defineDocument } from '../../src/messaging/state/documents.ts';

const Count = v.pipe(v.number(), v.integer());

/** The pages of the extensions that tests build. */
export const testCallers = defineCallers({ popup: page('popup.html'), options: page('options.html') });

/** A contract for tests of the core. The popup may read the counter; the options page and the background may also change it. */
export const counterContract = defineContract(testCallers, {
  'counter.read': query({ callers: ['popup', 'options', 'background'], output: Count }),
  'counter.add': mutation({
    callers: ['options', 'background'],
    input: v.pipe(v.number(), v.integer(), v.minValue(1)),
    output: Count,
    errors: { tooHigh: v.strictObject({ most: v.number() }) },
  }),
  'counter.watch': subscription({ callers: ['popup', 'options'], output: Count }),
  /** Has an external effect: each run of its handler is counted in `rings`. */
  'bell.ring': mutation({ callers: ['options', 'background'], output: Count, effect: 'external' }),
  'text.echo': query({
    callers: ['popup', 'options'],
    input: v.string(),
    output: v.string(),
    maxSize: 1_000,
  }),
  'blob.echo': query({ callers: ['options'], input: v.string(), output: v.string() }),
});

export const counter = defineDocument({ key: 'counter', schema: Count, initial: 0 });

/** Counts the runs of `bell.ring` in this process or worker. */
export const rings = { count: 0 };

/** The highest value of the counter. */
export const MOST = 1_000_000;

export const counterHandlers: Handlers<typeof counterContract> = {
  'counter.read': ({ state }) => state.read(counter),
  'counter.add': async ({ input, state, fail }) => {
    const count = (await state.read(counter)) + input;
    if (count > MOST) throw fail('tooHigh', { most: MOST });
    state.write(counter, count);
    return count;
  },
  'counter.watch': ({ state }) => state.watch(counter),
  'bell.ring': () => (rings.count += 1),
  'text.echo': ({ input }) => input,
  'blob.echo': ({ input }) => input,
};
