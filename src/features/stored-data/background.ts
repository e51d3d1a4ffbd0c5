import type { BackgroundFeature } from '../../background/features.ts';

/** Most characters of a text that are sent at once. */
const PART = 1024 * 1024;

export const storedDataFeature = {
  handlers: {
    'storage.watch': async function* ({ state }) {
      let last = '';
      for await (const condition of state.watchCondition()) {
        const text = JSON.stringify(condition);
        if (text !== last) {
          const { isEmpty, documents, readOnly, unreadable } = condition;
          yield { isEmpty, documents: [...documents], readOnly: [...readOnly], unreadable: [...unreadable] };
        }
        last = text;
      }
    },

    'quarantine.export': async ({ input: { id, from }, state, fail }) => {
      const text = await state.readUnreadable(id);
      if (text === undefined) throw fail('gone', {});
      const part = text.slice(from, from + PART);
      // Half a character cannot be sent: the second half comes with it.
      const whole = part.isWellFormed() ? part : text.slice(from, from + PART + 1);
      return { text: whole.toWellFormed(), isLast: from + whole.length >= text.length };
    },

    'quarantine.discard': async ({ input: { ids }, state }) => {
      await state.discardUnreadable(ids);
      return {};
    },
  },
} satisfies BackgroundFeature;
