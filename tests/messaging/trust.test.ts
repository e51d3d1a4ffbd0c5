import { describe, expect, it, vi } from 'vitest';

import type { Sender } from '../../src/messaging/wire/frames.ts';
import { contentCallers, contentFeature } from '../support/content-extension/feature.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { everyCall, type ProcedureName } from '../support/every-call.ts';
import { testCallers } from '../support/counter.ts';
import { createMemoryWorld, senderOf, WORLD } from '../support/memory-world.ts';
import { rejectionOf } from '../support/promises.ts';
import { ask, callOf, outcomeOfFrame } from '../support/raw-calls.ts';

type Caller = 'popup' | 'options' | 'none';

const page = senderOf(testCallers, 'options');
const tab = { id: 1 };
const web = { origin: 'https://example.org', url: 'https://example.org/options.html' };

/**
 * Senders as a browser may report them, and their callers. A framed page of the extension counts as that page: it is the same
 * code at the same origin, and no field distinguishes a frame in Chromium's popup from the popup itself. The manifest does not
 * allow web pages to frame a page, see tests/browser/foreign-eyes.test.ts.
 */
const SENDERS: readonly [who: string, sender: object | undefined, caller: Caller][] = [
  ['the popup', senderOf(testCallers, 'popup'), 'popup'],
  ['the options page in a tab', { ...page, tab, frameId: 0 }, 'options'],
  ['the options page with a query', { ...page, url: `${page.url}?a=1#/b` }, 'options'],
  ['the options page with a fragment', { ...page, url: `${page.url}#a` }, 'options'],
  ['the options page embedded in the browser’s settings', page, 'options'],
  ['the options page framed by a page of the extension', { ...page, tab, frameId: 3 }, 'options'],
  ['the options page in a sandboxed frame', { ...page, tab, frameId: 3, origin: 'null' }, 'none'],
  ['a page whose address begins like that of a caller', { ...page, url: `${page.url}x` }, 'none'],
  ['a page that the contract does not know', { ...page, url: `${WORLD.origin}/other.html` }, 'none'],
  ['a page at an address of another origin', { ...page, url: web.url }, 'none'],
  ['a content script in a tab', { ...web, id: WORLD.id, tab, frameId: 0 }, 'none'],
  ['a content script in a frame', { ...web, id: WORLD.id, tab, frameId: 3 }, 'none'],
  ['a content script in an empty page', { id: WORLD.id, tab, url: 'about:blank', origin: 'null' }, 'none'],
  ['a foreign extension at our address', { ...page, id: 'other' }, 'none'],
  ['a sender without an origin', { ...page, origin: undefined }, 'none'],
  ['a sender without an id', { ...page, id: undefined }, 'none'],
  ['a sender without an address', { ...page, url: undefined }, 'none'],
  ['an unknown sender', undefined, 'none'],
];

const MAY_CALL: Readonly<Record<ProcedureName, readonly Caller[]>> = {
  'counter.read': ['popup', 'options'],
  'counter.add': ['options'],
  'counter.watch': ['popup', 'options'],
  'counter.tick': ['options'],
  'text.echo': ['popup', 'options'],
  'blob.echo': ['options'],
};

describe('a call', () => {
  const table = SENDERS.flatMap(([who, sender, caller]) =>
    everyCall.map((call) => {
      const outcome = MAY_CALL[call.name].includes(caller) ? 'answered' : 'FORBIDDEN';
      return { who, sender, call, name: call.name, outcome: caller === 'none' ? 'refused' : outcome };
    }),
  );

  it.each(table)('of $name by $who is $outcome', async ({ sender, call, outcome }) => {
    const opened = createCounterWorld().openPage(sender as Sender);

    expect(await outcomeOfFrame(opened, call)).toBe(outcome);
  });

  it('of a page that is not in the table ends at once, and the reason is logged once', async () => {
    const world = createCounterWorld();
    const pages = [1, 2].map(() => world.openPage({ ...page, url: `${WORLD.origin}/other.html` }));

    const refusal = { code: 'FORBIDDEN', delivery: 'handled' };
    for (const { client } of pages) {
      expect(await rejectionOf(client.mutate('counter.add', 1))).toMatchObject(refusal);
      expect(await rejectionOf(client.subscribe('counter.watch').next())).toMatchObject(refusal);
      expect(client.connection.state()).toEqual({ status: 'failed', reason: 'refused' });
    }
    expect([...world.logged.values()].map(String)).toEqual([
      expect.stringContaining(`${WORLD.origin}/other.html`),
    ]);
  });

  it('that is forbidden is rejected before its input is parsed, even if the frame names an allowed caller', async () => {
    const add = vi.fn<() => number>(() => 1);
    const port = createCounterWorld({ 'counter.add': add }).openPage('popup').openRawPort();

    const answers = await ask(port, callOf('counter.add', { input: 'not a number', caller: 'options' }));

    expect(answers).toEqual([{ kind: 'error', id: 1, error: { code: 'FORBIDDEN' } }]);
    expect(add).not.toHaveBeenCalled();
  });
});

it.each<[caller: string, sender: Sender]>([
  ['content', { id: WORLD.id, origin: 'http://web.test:8080', url: 'http://web.test:8080/a?b#c' }],
  ['popup', senderOf(testCallers, 'popup')],
])('a handler gets its caller: %s', async (caller, sender) => {
  const world = createMemoryWorld({ callers: contentCallers, features: [contentFeature] });

  const echo = await world.openPage(sender).client.query('text.echo', 'Hello');

  expect(echo).toBe(`Hello from ${caller}`);
});
