import * as v from 'valibot';

import { type ApiOf, defineFeature, type Feature } from '../../../src/messaging/feature.ts';
import { type Procedures, proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineCollection, defineDocument } from '../../../src/messaging/state/documents.ts';
import { damageOf } from '../../../src/messaging/state/quarantine.ts';
import { startBackground } from '../../../src/platform/background.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counter, counterFeature, testCallers } from '../counter.ts';
import { indexedDbStore } from '../../../src/platform/indexed-db-store.ts';
import { specimen, specimenOfOldCode } from '../specimen.ts';

const { query, mutation } = proceduresFor(testCallers);

/** Facts about this worker. */
const Facts = v.strictObject({
  /** Start of the worker in ms since 1970. A different time means a different worker. */
  startedAt: v.number(),
  /** Number of calls that have reached a handler other than `worker.facts`. */
  handled: v.number(),
  /** Uncaught exceptions and unhandled rejections. */
  uncaught: v.array(v.string()),
  /** Members that were added to the prototype of all objects. */
  polluted: v.array(v.string()),
});

const Entries = v.array(v.string());

/** A list and, in a second document, its length. They differ if a change was torn. */
const Ledger = v.strictObject({ entries: Entries, size: v.number() });

const ledgerEntries = defineDocument({
  key: 'ledger',
  schema: Entries,
  initial: [],
  // An earlier extension kept it without the core.
  adopt: { keys: ['lines'], read: ({ lines }) => v.parse(Entries, lines) },
});
const ledgerSize = defineDocument({ key: 'ledger-size', schema: v.number(), initial: 0 });

/** Records that are set and removed in pairs. If only one of a pair is there, a change was torn. */
const records = defineCollection({ key: 'records', schema: v.number() });

/** A number for one session of the browser. */
const active = defineDocument({ key: 'active', schema: v.number(), initial: 0, lifetime: 'session' });

declare global {
  /** Defined in a build of older code, which knows an older version of the specimen. See tests/browser/versions.test.ts. */
  const IS_OLD: true | undefined;
  /** Defined in a build that keeps its state in IndexedDB. */
  const IS_INDEXED_DB: true | undefined;
}

const isOld = typeof IS_OLD !== 'undefined';

const startedAt = Date.now();
const uncaught: string[] = [];
let handled = 0;

addEventListener('error', (event) => uncaught.push(String(event.error)));
addEventListener('unhandledrejection', (event) => uncaught.push(String(event.reason)));

const standard = new Set(Reflect.ownKeys(Object.prototype));

/** A ledger of two documents, records, a document of several versions, and facts about the worker. */
const watchedFeature = defineFeature({
  documents: [active, ledgerEntries, ledgerSize, records, isOld ? specimenOfOldCode : specimen],
  procedures: {
    'worker.facts': query({
      callers: ['popup', 'options'],
      output: Facts,
      handle: () => {
        const polluted = Reflect.ownKeys(Object.prototype).filter((key) => !standard.has(key));
        return { startedAt, handled, uncaught: [...uncaught], polluted: polluted.map(String) };
      },
    }),
    'active.read': query({
      callers: ['options'],
      output: v.number(),
      handle: ({ state }) => state.read(active),
    }),
    'active.set': mutation({
      callers: ['options'],
      input: v.number(),
      handle: ({ input, state }) => state.write(active, input),
    }),
    'ledger.append': mutation({
      callers: ['popup', 'options'],
      input: v.string(),
      output: v.number(),
      handle: async ({ input, state }) => {
        const appended = await state.update(ledgerEntries, (entries) => [...entries, input]);
        state.write(ledgerSize, appended.length);
        return appended.length;
      },
    }),
    'ledger.read': query({
      callers: ['options'],
      output: Ledger,
      handle: async ({ state }) => ({
        entries: await state.read(ledgerEntries),
        size: await state.read(ledgerSize),
      }),
    }),
    /** Sets or removes both records of a pair, and adds 1 to the counter. */
    'pair.change': mutation({
      callers: ['options'],
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
      callers: ['options'],
      output: v.array(v.string()),
      handle: async ({ state }) => (await state.list(records)).map(({ id }) => id),
    }),
    'specimen.read': query({
      callers: ['options'],
      output: v.object({ lines: v.array(v.string()), color: v.exactOptional(v.string()) }),
      handle: ({ state }) => (isOld ? state.read(specimenOfOldCode) : state.read(specimen)),
    }),
    'specimen.append': mutation({
      callers: ['options'],
      input: v.string(),
      output: v.null(),
      handle: async ({ input, state }) => {
        if (isOld) {
          await state.update(specimenOfOldCode, (old) => ({ ...old, lines: [...old.lines, input] }));
        } else await state.update(specimen, (old) => ({ ...old, lines: [...old.lines, input] }));
        return null;
      },
    }),
    /** Reports documents that are read-only and values that cannot be read. */
    'state.inspect': query({
      callers: ['options'],
      output: v.object({ readOnly: v.array(v.string()), unreadable: v.array(v.string()) }),
      handle: async ({ state }) => {
        const { readOnly, unreadable } = await damageOf(state).inspect();
        return { readOnly: [...readOnly], unreadable: unreadable.map(({ key }) => key) };
      },
    }),
  },
});

export type WatchedApi = ApiOf<readonly [typeof counterFeature, typeof watchedFeature]>;

startBackground(testCallers, [counterFeature, watchedFeature].map(countCalls), {
  store: typeof IS_INDEXED_DB === 'undefined' ? browserStore : indexedDbStore,
  // Chromium does not list warnings, so that the console of a test has only unexpected errors.
  log: (incident, error) => console.warn(incident, error),
});

function countCalls(feature: Feature<Procedures>): Feature<Procedures> {
  const procedures = Object.entries(feature.procedures).map(([name, procedure]) => {
    const handle: typeof procedure.handle = (context) => {
      if (name !== 'worker.facts') handled += 1;
      return procedure.handle(context);
    };
    return [name, { ...procedure, handle }];
  });
  return { ...feature, procedures: Object.fromEntries(procedures) as Procedures };
}
