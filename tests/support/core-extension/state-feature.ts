import * as v from 'valibot';

import { defineFeature } from '../../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/define/documents.ts';
import { counter, testCallers } from '../counter.ts';
import { specimen, specimenOfOldCode } from '../specimen.ts';

const { query, mutation } = proceduresFor(testCallers);
const callers = ['popup', 'options'] as const;

declare global {
  /** Defined in a build of older code, which knows an older version of the specimen. See tests/browser/versions.test.ts. */
  const IS_OLD: true | undefined;
}

const isOld = typeof IS_OLD !== 'undefined';

const Lines = v.array(v.string());

/** A list and, in a second document, its length. They differ if a change was torn. */
const ledger = defineDocument({
  key: 'ledger',
  schema: Lines,
  initial: [],
  // An earlier extension kept it without the core.
  adopt: { keys: ['lines'], read: ({ lines }) => v.parse(Lines, lines) },
});
const ledgerSize = defineDocument({ key: 'ledger-size', schema: v.number(), initial: 0 });

/** Records that are set and removed in pairs. If only one of a pair is there, a change was torn. */
const records = defineCollection({ key: 'records', schema: v.number() });

/** A number for one session of the browser. */
const active = defineDocument({ key: 'active', schema: v.number(), initial: 0, lifetime: 'session' });

export const stateFeature = defineFeature({
  documents: [active, ledger, ledgerSize, records, isOld ? specimenOfOldCode : specimen],
  procedures: {
    'active.read': query({ callers, output: v.number(), handle: ({ state }) => state.read(active) }),
    'active.set': mutation({
      callers,
      input: v.number(),
      handle: ({ input, state }) => state.write(active, input),
    }),
    'ledger.append': mutation({
      callers,
      input: v.string(),
      handle: async ({ input, state }) => {
        const { length } = await state.update(ledger, (entries) => [...entries, input]);
        state.write(ledgerSize, length);
      },
    }),
    'ledger.read': query({
      callers,
      output: v.strictObject({ entries: Lines, size: v.number() }),
      handle: async ({ state }) => ({
        entries: await state.read(ledger),
        size: await state.read(ledgerSize),
      }),
    }),
    /** Sets or removes both records of a pair, and adds 1 to the counter. */
    'pair.change': mutation({
      callers,
      input: v.strictObject({ pair: v.string(), isSet: v.boolean() }),
      output: v.number(),
      handle: async ({ input: { pair, isSet }, state }) => {
        const count = await state.update(counter, (old) => old + 1);
        for (const id of [`${pair}/left`, `${pair}/right`]) {
          if (isSet) state.set(records, id, count);
          else state.remove(records, id);
        }
        return count;
      },
    }),
    'records.list': query({
      callers,
      output: Lines,
      handle: async ({ state }) => (await state.list(records)).map(({ id }) => id),
    }),
    'specimen.read': query({
      callers,
      output: v.object({ lines: Lines, color: v.exactOptional(v.string()) }),
      handle: ({ state }) => (isOld ? state.read(specimenOfOldCode) : state.read(specimen)),
    }),
    'specimen.append': mutation({
      callers,
      input: v.string(),
      handle: async ({ input, state }) => {
        if (isOld) {
          await state.update(specimenOfOldCode, (old) => ({ ...old, lines: [...old.lines, input] }));
        } else {
          await state.update(specimen, (old) => ({ ...old, lines: [...old.lines, input] }));
        }
      },
    }),
  },
});
