import { createContentScriptClient } from '../../../src/platform/port.ts';
import { askEverything, everyCall } from '../every-call.ts';
import type { contentContract } from './contract.ts';

// A test reaches the page, not this script: it leaves the name of a deed in `data-do` of the root element, and finds the
// JSON of its outcome in `data-done`. The counter is shown in `data-count`.
const { dataset } = document.documentElement;
const client = createContentScriptClient<typeof contentContract>();

/** Messages that reached a listener of this script which is not the core's. */
const heard: unknown[] = [];
chrome.runtime.onMessage.addListener((message: unknown) => void heard.push(message));

const deeds: Readonly<Record<string, () => unknown>> = {
  'ask everything': () => askEverything(everyCall, ''),
  'ask with the client': () => outcomeOf(client.query('text.echo', 'Hello', { timeout: 2_000 })),
  // 64 Ki characters of JSON, with the quotes, and one more.
  'send the largest input': () => outcomeOf(client.query('text.echo', 'x'.repeat(64 * 1024 - 2))),
  'send a larger input': () => outcomeOf(client.query('text.echo', 'x'.repeat(64 * 1024 - 1))),
  'call 33 times at once': async () => {
    const controller = new AbortController();
    const { signal } = controller;
    // The counter's subscription is one of the 32 that may be open.
    const calls = Array.from({ length: 32 }, () =>
      outcomeOf(client.query('text.wait', undefined, { signal })),
    );
    const rejected = await Promise.race(calls);
    controller.abort();
    const outcomes = await Promise.all(calls);
    return { rejected, aborted: outcomes.filter((outcome) => outcome === 'ABORTED').length };
  },
  status: () => client.connection.state().status,
  heard: () => heard,
};

document.documentElement.addEventListener('deed', () => void act(dataset['do'] ?? ''));
void follow();
dataset['ready'] = '';

async function act(name: string): Promise<void> {
  dataset['done'] = JSON.stringify(await deeds[name]?.());
}

async function follow(): Promise<void> {
  for await (const count of client.subscribe('counter.watch')) dataset['count'] = String(count);
}

function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => (error as { readonly code?: string }).code ?? String(error));
}
