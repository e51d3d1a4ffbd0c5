import * as v from 'valibot';

import { identifyCaller } from '../../../src/messaging/callers.ts';
import { defineContract, mutation, query, subscription } from '../../../src/messaging/contract.ts';
import { createBackground } from '../../../src/messaging/server/background.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/state/documents.ts';
import { onAlarm, onContextMenu, onInstalled, onStartup } from '../../../src/platform/events.ts';
import { announceWake, extensionIdentity, onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counter, testCallers } from '../counter.ts';
import { indexedDbStore } from '../indexed-db-store.ts';

const DAY = 24 * 60 * 60 * 1_000;

/** Number of times that each change took effect, by name. */
const changes = defineCollection({ key: 'changes', schema: v.number() });

/** The time of day for tidying, and the last day that was tidied. */
const tidying = defineDocument({
  key: 'tidying',
  schema: v.looseObject({
    /** The first time, in ms since 1970. The alarm repeats every day. `null` means never. */
    at: v.nullable(v.number()),
    /** Days since 1970. */
    lastDay: v.number(),
  }),
  initial: { at: null, lastDay: 0 },
});

const Change = v.strictObject({ name: v.string(), times: v.number() });

export const eventContract = defineContract(testCallers, {
  'change.make': mutation({ callers: ['options', 'background'], input: v.string(), output: v.number() }),
  'change.list': query({
    callers: ['options'],
    output: v.strictObject({ count: v.number(), changes: v.array(Change) }),
  }),
  'counter.watch': subscription({ callers: ['options', 'popup'], output: v.number() }),
  'tidying.set': mutation({
    callers: ['options'],
    input: v.strictObject({ at: v.number(), lastDay: v.number() }),
    output: v.null(),
  }),
  'tidying.lastDay': query({ callers: ['background'], output: v.number() }),
  'day.tidy': mutation({ callers: ['background'], input: v.number(), output: v.null() }),
  /** Returns the error of an adapter that was called after an `await`. */
  'late.error': query({ callers: ['options'], output: v.string() }),
});

let lateError = '';

const identity = extensionIdentity();

const proofs = new BroadcastChannel('proofs');

const background = createBackground(
  eventContract,
  {
    'change.make': async ({ input: name, state }) => {
      state.set(changes, name, ((await state.get(changes, name)) ?? 0) + 1);
      return state.update(counter, (count) => count + 1);
    },
    'change.list': async ({ state }) => {
      const items = await state.list(changes);
      return {
        count: await state.read(counter),
        changes: items.map(({ id, data }) => ({ name: id, times: data })),
      };
    },
    'counter.watch': ({ state }) => state.watch(counter),
    'tidying.set': async ({ input, state }) => {
      state.write(tidying, input);
      return null;
    },
    'tidying.lastDay': async ({ state }) => (await state.read(tidying)).lastDay,
    'day.tidy': async ({ input: day, state }) => {
      const name = `tidied ${day}`;
      state.set(changes, name, ((await state.get(changes, name)) ?? 0) + 1);
      await state.update(tidying, (old) => ({ ...old, lastDay: Math.max(old.lastDay, day) }));
      return null;
    },
    'late.error': () => lateError,
  },
  {
    identify: (sender) => identifyCaller(testCallers, sender, identity),
    store: typeof IS_INDEXED_DB === 'undefined' ? browserStore : indexedDbStore,
    documents: [changes, counter, tidying],
    log: (incident, error) => console.warn(incident, error),
  },
);

onIncomingPort(background.accept);

// An alarm makes the change that it is named after. `#` and a number make several alarms for one change, and `#free` makes
// the change without a key.
onAlarm(({ name }) => {
  if (name === 'tidy') return witness(name, tidyDays);
  const [change = '', copy] = name.split('#');
  return witness(name, () =>
    background.mutate('change.make', change, copy === 'free' ? {} : { key: change }),
  );
});

onContextMenu('change', ({ selectionText: change = '' }) =>
  witness(change, () => background.mutate('change.make', change)),
);

onInstalled(() => {
  chrome.contextMenus.create({ id: 'change', title: 'Change', contexts: ['all'] });
});
// Firefox starts the background together with the browser only if it has a listener for this event.
onStartup(() => {});

// Firefox loses its alarms when it is closed, so each start of the background compares the alarm with the state.
background.watch(tidying, async ({ at }) => {
  if (at === null) return;
  const alarm = await chrome.alarms.get('tidy');
  const isSet = alarm !== undefined && (alarm.scheduledTime - at) % DAY === 0;
  if (!isSet) await chrome.alarms.create('tidy', { when: at, periodInMinutes: 24 * 60 });
});

announceWake();
void registerLate();

/** Tidies today and each day that was missed. The day is the key of its mutation, so that no day is tidied twice. */
async function tidyDays(): Promise<void> {
  const today = Math.floor(Date.now() / DAY);
  const lastDay = await background.query('tidying.lastDay');
  for (let day = lastDay + 1; day <= today; day += 1) {
    await background.mutate('day.tidy', day, { key: String(day) });
  }
}

/** Runs a listener between a plain write, as a listener without the core makes it, and a message to the open pages. */
function witness<T>(name: string, listener: () => T): T {
  void chrome.storage.local.set({ [`written/${name}`]: true });
  const result = listener();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  proofs.postMessage(name);
  return result;
}

async function registerLate(): Promise<void> {
  await Promise.resolve();
  try {
    onInstalled(() => {});
  } catch (error) {
    lateError = String(error);
  }
}
