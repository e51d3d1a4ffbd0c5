import * as v from 'valibot';
import { alarms, storage } from 'webextension-polyfill';

import { defineFeature } from '../../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { defineCollection } from '../../../src/messaging/define/documents.ts';
import { counter, testCallers } from '../counter.ts';

const { query, mutation } = proceduresFor(testCallers);

const proofs = new BroadcastChannel('proofs');

/** Number of times that each change took effect, by name. */
const changes = defineCollection({ key: 'changes', schema: v.number() });

export const eventFeature = defineFeature({
  documents: [changes],
  procedures: {
    'change.make': mutation({
      callers: ['options', 'background'],
      input: v.string(),
      output: v.number(),
      handle: async ({ input: name, state }) => {
        state.set(changes, name, ((await state.get(changes, name)) ?? 0) + 1);
        return state.update(counter, (count) => count + 1);
      },
    }),
    // A declared error is final. After any other error, the event would be tried again.
    'change.fail': mutation({
      callers: ['background'],
      errors: { refused: v.strictObject({}) },
      handle: ({ fail }) => {
        throw fail('refused', {});
      },
    }),
    'change.list': query({
      callers: ['options'],
      output: v.record(v.string(), v.number()),
      handle: async ({ state }) =>
        Object.fromEntries((await state.list(changes)).map(({ id, data }) => [id, data])),
    }),
    /** Registers a listener after the first turn of the background. */
    'listener.add': query({
      callers: ['options'],
      output: v.null(),
      handle: () => {
        alarms.onAlarm.addListener(() => {});
        return null;
      },
    }),
  },
  start: ({ background }) => {
    // An alarm makes the change that it is named after. With `#free` after the name, the change has no key.
    alarms.onAlarm.addListener(({ name }) => {
      // The core has set this one.
      if (name === 'messaging') return;
      const [change = '', isFree] = name.split('#');
      // A plain write, as a listener without the core makes it.
      void storage.local.set({ [`written/${change}`]: true });
      if (change === 'fail') void background.mutate('change.fail');
      else void background.mutate('change.make', change, isFree ? {} : { key: change });
      proofs.postMessage(change);
    });
  },
});
