import { describe, expect, it, vi } from 'vitest';

import { createCounterWorld } from '../support/counter-world.ts';
import { everyCall } from '../support/every-call.ts';
import type { ProcedureName } from '../support/every-call.ts';
import { senderOf, WORLD_ID, WORLD_ORIGIN } from '../support/memory-world.ts';

type Caller = 'popup' | 'options' | 'none';

const page = senderOf('options');
const tab = { id: 1 };
const web = { origin: 'https://example.org', url: 'https://example.org/src/options/index.html' };
const other = { id: 'other', origin: 'chrome-extension://other', url: 'chrome-extension://other/a.html' };

/**
 * Whom the browser may report as the sender of a port, and who that is. A framed own page is the page that its address
 * names: it is the same code at the same origin, and no field distinguishes a frame in Chromium's popup from the popup itself.
 * That strangers frame no page is the business of the manifest, see tests/browser/senders.test.ts.
 */
const SENDERS: Readonly<Record<string, [sender: object | undefined, caller: Caller]>> = {
  'the popup': [senderOf('popup'), 'popup'],
  'the options page in a tab': [{ ...page, tab, frameId: 0 }, 'options'],
  'the options page with a query': [{ ...page, url: `${page.url}?a=1` }, 'options'],
  'the options page with a fragment': [{ ...page, url: `${page.url}#a` }, 'options'],
  'an own page whose address begins like that of another': [{ ...page, url: `${page.url}x` }, 'none'],
  'the options page embedded in the browser’s own': [page, 'options'],
  'the options page framed by an own page': [{ ...page, tab, frameId: 3 }, 'options'],
  'the options page in a sandboxed frame': [{ ...page, tab, frameId: 3, origin: 'null' }, 'none'],
  'an own page that the contract does not know': [{ ...page, url: `${WORLD_ORIGIN}/other.html` }, 'none'],
  'a content script in a tab': [{ ...web, id: WORLD_ID, tab, frameId: 0 }, 'none'],
  'a content script in a frame': [{ ...web, id: WORLD_ID, tab, frameId: 3 }, 'none'],
  'a content script in a page without an origin': [
    { id: WORLD_ID, tab, frameId: 0, url: 'about:blank', origin: 'null' },
    'none',
  ],
  'a foreign extension': [other, 'none'],
  'a foreign extension at our address': [{ ...page, id: 'other' }, 'none'],
  'a web page': [web, 'none'],
  'a sender without an origin': [{ ...page, origin: undefined }, 'none'],
  'a sender without an id': [{ ...page, id: undefined }, 'none'],
  'a sender without an address': [{ ...page, url: undefined }, 'none'],
  'no sender': [undefined, 'none'],
};

const MAY_CALL: Readonly<Record<ProcedureName, readonly Caller[]>> = {
  'counter.read': ['popup', 'options'],
  'counter.add': ['options'],
  'counter.watch': ['popup', 'options'],
  'bell.ring': ['options'],
  'text.echo': ['popup', 'options'],
  'blob.echo': ['options'],
};

const table = Object.entries(SENDERS).flatMap(([who, [sender, caller]]) =>
  everyCall.map((call) => {
    const outcome =
      caller === 'none' ? 'closed' : MAY_CALL[call.name].includes(caller) ? 'answered' : 'FORBIDDEN';
    return { who, sender, call, name: call.name, outcome };
  }),
);

describe('who may call what', () => {
  it.each(table)('$name from $who: $outcome', async ({ sender, call, outcome }) => {
    const world = createCounterWorld();
    const port = world.openPage(sender as object).openRawPort();

    port.post(call);
    await vi.waitFor(() => expect(port.received.length > 0 || port.isClosed()).toBe(true), { interval: 1 });

    const [answer] = port.received as { kind: string; error?: { code: string } }[];
    expect(answer === undefined ? 'closed' : (answer.error?.code ?? 'answered')).toBe(outcome);
    expect(port.isClosed()).toBe(outcome === 'closed');
  });
});
