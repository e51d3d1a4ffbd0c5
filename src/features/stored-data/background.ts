import type { BackgroundFeature } from '../../background/features.ts';

/** Number of characters that are sent at once. */
const PART = 1024 * 1024;

/** Text of the export in progress. Reading 100 MiB again for each part or retry would take minutes. */
let exported: { readonly id: string; readonly text: string } | undefined;

export const storedDataFeature = {
  handlers: {
    'storage.watch': async function* ({ state }) {
      let last = '';
      for await (const condition of state.watchCondition()) {
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

    'quarantine.export': async ({ input: { id, from }, state, fail }) => {
      const text = exported?.id === id ? exported.text : await state.readUnreadable(id);
      if (text === undefined) throw fail('gone', {});
      exported = { id, text };
      const part = text.slice(from, from + PART);
      // Half a character cannot be sent, so a part that ends in one also gets the second half.
      const whole = part.isWellFormed() ? part : text.slice(from, from + PART + 1);
      const isLast = from + whole.length >= text.length;
      if (isLast) exported = undefined;
      return { text: whole.toWellFormed(), isLast };
    },

    'quarantine.discard': async ({ input: { ids }, state }) => {
      await state.discardUnreadable(ids);
      exported = undefined;
      return {};
    },
  },
} satisfies BackgroundFeature;
