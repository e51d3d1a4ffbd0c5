import { describe, expect, it, vi } from 'vitest';

import type { Sender } from '../../src/messaging/wire.ts';
import { contentContract, contentHandlers } from '../support/content-extension/contract.ts';
import { everyCall } from '../support/every-call.ts';
import { identifyContentScript } from '../support/identify-content-script.ts';
import { createMemoryWorld, identifyOwnPage, senderOf, WORLD_ID } from '../support/memory-world.ts';
import type { MemoryWorld } from '../support/memory-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

const SITE = 'https://example.org';
const script: Sender = { id: WORLD_ID, origin: SITE, url: `${SITE}/a?b#c` };

const STRANGERS: Readonly<Record<string, Sender>> = {
  'on another site': { id: WORLD_ID, origin: 'https://example.com', url: 'https://example.com/' },
  'on a site below': { id: WORLD_ID, origin: 'https://a.example.org', url: 'https://a.example.org/' },
  'on the site without its encryption': {
    id: WORLD_ID,
    origin: 'http://example.org',
    url: 'http://example.org/',
  },
  'in a sandbox of the site': { ...script, origin: 'null' },
  'in an empty frame of the site': { ...script, url: 'about:blank' },
  'of another extension': { ...script, id: 'other' },
  'of which the browser gives no id': { origin: SITE, url: SITE },
  'of which the browser gives no origin': { id: WORLD_ID, url: SITE },
  'of which the browser gives no address': { id: WORLD_ID, origin: SITE },
};

describe('a content script that the contract knows as a caller', () => {
  it('may call the procedure that names it, and no other', async () => {
    const { openPage, disk } = createWorld();

    const outcomes = await outcomesOf(openPage(script));

    expect(outcomes).toEqual({
      'counter.read': 'FORBIDDEN',
      'counter.add': 'FORBIDDEN',
      'counter.watch': 'FORBIDDEN',
      'bell.ring': 'FORBIDDEN',
      'text.echo': 'answered',
      'blob.echo': 'FORBIDDEN',
    });
    expect(disk.keys()).toEqual([]);
  });

  it('has a client like a page, and is distinguished from a page', async () => {
    const { openPage } = createWorld();

    const echo = await openPage(script).client.query('text.echo', 'Hello');
    const error = await rejectionOf(openPage(script).client.mutate('counter.add', 1));

    expect(echo).toBe('Hello from content');
    expect(error).toMatchObject({ code: 'FORBIDDEN', delivery: 'handled' });
  });

  it.each(Object.entries(STRANGERS))('%s is refused before it can ask', async (_where, sender) => {
    const { openPage } = createWorld();

    const outcomes = await outcomesOf(openPage(sender));

    expect([...new Set(Object.values(outcomes))]).toEqual(['closed']);
  });

  it('leaves the own pages what they are', async () => {
    const { openPage } = createWorld();

    const echo = await openPage(senderOf('popup')).client.query('text.echo', 'Hello');

    expect(echo).toBe('Hello from popup');
  });
});

function createWorld(): MemoryWorld<typeof contentContract> {
  return createMemoryWorld({
    contract: contentContract,
    handlers: contentHandlers,
    identify: (sender) =>
      identifyOwnPage(sender) ?? identifyContentScript(sender, { id: WORLD_ID, sites: [SITE] }),
  });
}

/** What came of each call, made over a port of its own: `answered`, an error's code or `closed`. */
async function outcomesOf(
  page: ReturnType<MemoryWorld<typeof contentContract>['openPage']>,
): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const call of everyCall) {
    const port = page.openRawPort();
    port.post(call);
    await vi.waitFor(() => expect(port.received.length > 0 || port.isClosed()).toBe(true), { interval: 1 });

    const [answer] = port.received as { error?: { code: string } }[];
    outcomes[call.name] = answer === undefined ? 'closed' : (answer.error?.code ?? 'answered');
  }
  return outcomes;
}
