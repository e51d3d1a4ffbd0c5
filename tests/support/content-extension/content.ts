import { createContentScriptClient } from '../../../src/platform/port.ts';
import { askEverything, everyCall } from '../every-call.ts';
import type { ContentApi } from './feature.ts';

// A test can reach the page but not this script. So it writes the name of an action into `data-do` of the root element, and
// reads its outcome, as JSON, from `data-done`. `data-count` holds the counter.
const { dataset } = document.documentElement;
const client = createContentScriptClient<ContentApi>();

/** Messages that a listener outside of the core has received. */
const heard: unknown[] = [];
chrome.runtime.onMessage.addListener((message: unknown) => void heard.push(message));

const actions: Readonly<Record<string, () => unknown>> = {
  'ask everything': () => askEverything(everyCall, ''),
  'ask with the client': () => outcomeOf(client.query('text.echo', 'Hello', { timeout: 2_000 })),
  // Together with its quotes, the first text has 64 Ki characters of JSON, and the second has one more.
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

document.documentElement.addEventListener('act', () => void act(dataset['do'] ?? ''));
void follow();
dataset['ready'] = '';

async function act(name: string): Promise<void> {
  dataset['done'] = JSON.stringify(await actions[name]?.());
}

async function follow(): Promise<void> {
  for await (const count of client.subscribe('counter.watch')) dataset['count'] = String(count);
}

function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => (error as { readonly code?: string }).code ?? String(error));
}
