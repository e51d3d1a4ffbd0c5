import * as v from 'valibot';

import {
  type Document,
  migrateDocuments,
  openDocument,
  readDocument,
} from '../../../src/background/document.ts';
import { defineContract, mutation, query } from '../../../src/messaging/contract.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { identifyCaller } from '../../../src/messaging/server/sender.ts';
import { createServer, type Handlers } from '../../../src/messaging/server/server.ts';
import type { StateReader } from '../../../src/messaging/server/state.ts';
import { extensionIdentity } from '../../../src/platform/extension.ts';
import { announceWake, onIncomingPort } from '../../../src/platform/port.ts';
import { browserStore } from '../../../src/platform/store.ts';
import { counterContract, counterHandlers } from '../counter.ts';
import { specimen, specimenOfOldCode } from '../specimen.ts';

/** What the worker knows of its own life. */
const Facts = v.strictObject({
  /** Milliseconds since 1970: another one is another worker. */
  startedAt: v.number(),
  /** Calls that have reached another handler. */
  handled: v.number(),
  /** Uncaught exceptions and unhandled rejections. */
  uncaught: v.array(v.string()),
  /** What has been added to the prototype of all objects. */
  polluted: v.array(v.string()),
});

/** A list and, in a document of its own, how long it is: torn state shows as a difference. */
const Ledger = v.strictObject({ entries: v.array(v.string()), size: v.number() });

declare global {
  /** Is there in a build of older code, which knows an older version of the specimen, see tests/browser/versions.test.ts. */
  const IS_OLD: true | undefined;
}

const served: Document<{ lines: string[] }> = typeof IS_OLD === 'undefined' ? specimen : specimenOfOldCode;

/** The counter, a ledger of two documents, a document of several versions, and what the worker knows of itself. */
export const watchedContract = defineContract({
  ...counterContract,
  'worker.facts': query({ callers: ['popup', 'options'], output: Facts }),
  'ledger.append': mutation({ callers: ['options'], input: v.string(), output: v.number() }),
  'ledger.read': query({ callers: ['options'], output: Ledger }),
  'specimen.read': query({ callers: ['options'], output: v.custom<Json>(() => true) }),
  /** Adds a line; answers whether it could. */
  'specimen.append': mutation({ callers: ['options'], input: v.string(), output: v.boolean() }),
});

const startedAt = Date.now();
const uncaught: string[] = [];
let handled = 0;

addEventListener('error', (event) => uncaught.push(String(event.error)));
addEventListener('unhandledrejection', (event) => uncaught.push(String(event.reason)));

const standard = new Set(Reflect.ownKeys(Object.prototype));

const handlers: Handlers<typeof watchedContract> = {
  ...counterHandlers,
  'worker.facts': () => {
    const polluted = Reflect.ownKeys(Object.prototype).filter((key) => !standard.has(key));
    return { startedAt, handled, uncaught: [...uncaught], polluted: polluted.map(String) };
  },
  'ledger.append': async ({ input, state }) => {
    const { entries } = await readLedger(state);
    const appended = [...entries, input];
    state.set('ledger', appended);
    state.set('ledger-size', appended.length);
    return appended.length;
  },
  'ledger.read': ({ state }) => readLedger(state),
  'specimen.read': async ({ state }) => {
    const { status, data } = readDocument(served, await state.get(served.key));
    return { status, data: data as unknown as Json };
  },
  'specimen.append': async ({ input, state }) => {
    const opened = await openDocument(state, served);
    opened?.write({ ...opened.data, lines: [...opened.data.lines, input] });
    return opened !== undefined;
  },
};

async function readLedger(state: StateReader): Promise<{ entries: string[]; size: number }> {
  const [entries, size] = [await state.get('ledger'), await state.get('ledger-size')];
  return { entries: (entries ?? []) as string[], size: Number(size ?? 0) };
}

const counted = Object.entries(handlers).map(([name, handler]) => [
  name,
  name === 'worker.facts' ? handler : countCalls(handler),
]);
const { id, origin } = extensionIdentity();

onIncomingPort(
  createServer(watchedContract, Object.fromEntries(counted) as typeof handlers, {
    identify: (sender) =>
      identifyCaller(sender, { id, origin, pages: { popup: 'popup.html', options: 'options.html' } }),
    store: browserStore,
    prepare: (state) => migrateDocuments([served], state),
    log: (incident, error) => console.warn(incident, error),
  }),
);
announceWake();

function countCalls(handler: (context: never) => unknown): (context: never) => unknown {
  return (context) => {
    handled += 1;
    return handler(context);
  };
}
