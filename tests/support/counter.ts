import * as v from 'valibot';

import { defineCallers, page } from '../../src/messaging/define/define-callers.ts';
import { type ApiOf, defineFeature } from '../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { defineDocument } from '../../src/messaging/define/documents.ts';

const Count = v.pipe(v.number(), v.integer());

/** The pages of the extensions that tests build. */
export const testCallers = defineCallers({ popup: page('popup.html'), options: page('options.html') });

const { query, mutation, subscription } = proceduresFor(testCallers);

export const counter = defineDocument({ key: 'counter', schema: Count, initial: 0 });

/** The highest value of the counter. */
export const MOST = 1_000_000;

/** A feature for tests of the core. The popup may read the counter; the options page and the background may also change it. */
export const counterFeature = defineFeature({
  documents: [counter],
  procedures: {
    'counter.read': query({
      callers: ['popup', 'options', 'background'],
      output: Count,
      handle: ({ state }) => state.read(counter),
    }),
    'counter.add': mutation({
      callers: ['options', 'background'],
      input: v.pipe(v.number(), v.integer(), v.minValue(1)),
      output: Count,
      errors: { tooHigh: v.strictObject({ most: v.number() }) },
      handle: async ({ input, state, fail }) => {
        const count = (await state.read(counter)) + input;
        if (count > MOST) throw fail('tooHigh', { most: MOST });
        state.write(counter, count);
        return count;
      },
    }),
    /** Has no output, so the core keeps no outcome for it. */
    'counter.tick': mutation({
      callers: ['options', 'background'],
      handle: ({ state }) => state.update(counter, (count) => count + 1),
    }),
    'counter.watch': subscription({
      callers: ['popup', 'options'],
      output: Count,
      handle: ({ state }) => state.watch(counter),
    }),
    'text.echo': query({
      callers: ['popup', 'options'],
      input: v.string(),
      output: v.string(),
      maxSize: 1_000,
      handle: ({ input }) => input,
    }),
    'blob.echo': query({
      callers: ['options'],
      input: v.string(),
      output: v.string(),
      handle: ({ input }) => input,
    }),
  },
});

export type CounterApi = ApiOf<readonly [typeof counterFeature]>;
