import * as v from 'valibot';

import { type ApiOf, defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import { defineDocument } from '../../../src/messaging/define/documents.ts';
import { startBackground } from '../../../src/platform/background.ts';
import { counterFeature, testCallers } from '../../support/counter.ts';
import type { RawRequest } from '../raw-port.ts';

/**
 * Events to make in the worker. They are carried out through the core, by hand (`raw`), by hand after each is noted (`noted`),
 * or not at all (`nothing`).
 */
export interface Burst {
  readonly kind: 'core' | 'raw' | 'noted' | 'nothing';
  readonly count: number;
  /** Milliseconds between two events, 0 to make all at once, or `in turn` to make each after the one before has ended. */
  readonly pause: number | 'in turn';
}

const total = defineDocument({ key: 'total', schema: v.number(), initial: 0 });

let addInCore: () => Promise<unknown>;

const eventFeature = defineFeature({
  documents: [total],
  procedures: {
    'total.add': proceduresFor(testCallers).mutation({
      callers: ['background'],
      handle: ({ state }) => state.update(total, (count) => count + 1),
    }),
  },
  start: ({ background }) => {
    addInCore = () => background.mutate('total.add');
  },
});

export type EventApi = ApiOf<readonly [typeof counterFeature]>;

/** Changes one value under a lock, so that no change is lost. */
function addRaw(): Promise<void> {
  return navigator.locks.request('raw', async () => {
    const { raw = 0 } = await chrome.storage.local.get('raw');
    await chrome.storage.local.set({ raw: Number(raw) + 1 });
  });
}

let notes = 0;

/** Notes an event, and then carries it out and removes its note in one write, so that a death of the worker loses nothing. */
async function addNoted(): Promise<void> {
  notes += 1;
  const key = `note/${notes}`;
  await chrome.storage.local.set({ [key]: 1 });
  await navigator.locks.request('raw', async () => {
    const { [key]: added } = await chrome.storage.local.get(key);
    const { raw = 0 } = await chrome.storage.local.get('raw');
    await chrome.storage.local.set({ raw: Number(raw) + Number(added), [key]: null });
  });
}

const add = { core: () => addInCore(), raw: addRaw, noted: addNoted };

async function make({ kind, count, pause }: Burst): Promise<void> {
  const events: Promise<unknown>[] = [];
  for (let made = 0; made < count; made += 1) {
    if (kind !== 'nothing') events.push(add[kind]());
    if (pause === 'in turn') await events.at(-1);
    else if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await Promise.all(events);
}

startBackground(testCallers, [counterFeature, eventFeature]);

// The page's calls by hand.
chrome.runtime.onConnect.addListener((port) => {
  if (port.name !== 'raw') return;
  port.onMessage.addListener((message) => {
    const { id, name, value } = message as RawRequest;
    const answer = (): void => port.postMessage({ id, result: value });
    if (name === 'add') void addRaw().then(answer);
    else answer();
  });
});

chrome.runtime.onMessage.addListener(
  (message: unknown, _sender: unknown, respond: (answer: unknown) => void) => {
    void make(message as Burst).then(() => respond(null));
    return true;
  },
);
