import * as v from 'valibot';

import { defineFeature, mutation, query, subscription } from '../../define.ts';
// oxlint-disable-next-line no-restricted-imports -- this feature shows damaged data to people
import { damageOf } from '../../messaging/state/damage.ts';

/** State of the store. `readOnly` and `unreadable` are empty when all data could be read. */
const StorageState = v.object({
  /** Nothing is stored, either because nothing was saved or because everything was lost. */
  isEmpty: v.boolean(),
  /** Keys of the stored documents. */
  documents: v.array(v.string()),
  /** Keys of documents that are neither stored nor quarantined. */
  absent: v.array(v.string()),
  /** Keys of documents that a newer version of the extension has written. They are not changed. */
  readOnly: v.array(v.string()),
  /** Values that could not be read and are kept unchanged. */
  unreadable: v.array(
    v.object({
      id: v.string(),
      /** The key under which it was stored. */
      key: v.string(),
      /** Time when it was moved to quarantine, in ms since 1970, or 0 if it is still stored under its key. */
      at: v.number(),
    }),
  ),
});

export type StorageState = v.InferOutput<typeof StorageState>;

/** Number of characters that are sent at once. */
const PART = 1024 * 1024;

/** Text of the export in progress. Reading 100 MiB again for each part or retry would take minutes. */
let exported: { readonly id: string; readonly text: string } | undefined;

export const storedDataFeature = defineFeature({
  procedures: {
    /** The state of the store, now and after each change. */
    'storage.watch': subscription({
      callers: ['popup', 'options'],
      output: StorageState,
      handle: async function* ({ state }) {
        let last = '';
        for await (const condition of damageOf(state).watch()) {
          const text = JSON.stringify(condition);
          if (text !== last) {
            const { isEmpty, documents, absent, readOnly, unreadable } = condition;
            yield {
              isEmpty,
              documents: [...documents],
              absent: [...absent],
              readOnly: [...readOnly],
              unreadable: [...unreadable],
            };
          }
          last = text;
        }
      },
    }),

    /**
     * Returns a part of an unreadable value as text, because the value can be larger than a message. Ends in `gone` if the
     * value was removed or changed.
     */
    'quarantine.export': query({
      callers: ['options'],
      input: v.strictObject({ id: v.string(), from: v.pipe(v.number(), v.integer(), v.minValue(0)) }),
      output: v.strictObject({ text: v.string(), isLast: v.boolean() }),
      errors: { gone: v.strictObject({}) },
      // A part has 1 Mi characters, each of which may take six in JSON.
      maxSize: 8 * 1024 * 1024,
      handle: async ({ input: { id, from }, state, fail }) => {
        const isStarted = from > 0 && exported?.id === id;
        const text = isStarted ? exported?.text : await damageOf(state).readText(id);
        if (text === undefined) throw fail('gone', {});
        exported = { id, text };
        // Half a character cannot be sent, so a part that ends in one also gets the second half.
        const isHalf = /[\ud800-\udbff]/.test(text.charAt(from + PART - 1));
        const part = text.slice(from, from + PART + Number(isHalf));
        const isLast = from + part.length >= text.length;
        if (isLast) exported = undefined;
        return { text: part.toWellFormed(), isLast };
      },
    }),

    /** Removes unreadable values, except those that have changed since they were listed. */
    'quarantine.discard': mutation({
      callers: ['options'],
      input: v.strictObject({ ids: v.array(v.string()) }),
      handle: async ({ input: { ids }, state }) => {
        await damageOf(state).discard(ids);
        exported = undefined;
      },
    }),
  },
});
