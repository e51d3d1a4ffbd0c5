import { describe, expect, it, vi } from 'vitest';

import { identifyCaller } from '../../src/messaging/server/sender.ts';
import type { Sender } from '../../src/messaging/wire.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { senderOf, WORLD_ID, WORLD_ORIGIN } from '../support/memory-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

const url = senderOf('options').url;

const STRANGERS: Readonly<Record<string, Sender | undefined>> = {
  'no sender at all': undefined,
  'a sender of which nothing is known': {},
  'a content script, which has our id and the origin of its page': {
    id: WORLD_ID,
    origin: 'https://example.org',
    url: 'https://example.org/',
  },
  'a content script whose page borrows our path': {
    id: WORLD_ID,
    origin: 'https://example.org',
    url: 'https://example.org/src/options/index.html',
  },
  'another extension': {
    id: 'other',
    origin: 'chrome-extension://other',
    url: 'chrome-extension://other/a.html',
  },
  'another extension with our address': { id: 'other', origin: WORLD_ORIGIN, url },
  'a web page': { origin: 'https://example.org', url: 'https://example.org/' },
  'an opaque origin': { id: WORLD_ID, origin: 'null', url },
  'a missing id': { origin: WORLD_ORIGIN, url },
  'a missing origin': { id: WORLD_ID, url },
  'a missing address': { id: WORLD_ID, origin: WORLD_ORIGIN },
  'an address that is none': { id: WORLD_ID, origin: WORLD_ORIGIN, url: 'options' },
  'an own page that is not a caller': {
    id: WORLD_ID,
    origin: WORLD_ORIGIN,
    url: `${WORLD_ORIGIN}/other.html`,
  },
  'an own path below another origin': {
    id: WORLD_ID,
    origin: WORLD_ORIGIN,
    url: 'chrome-extension://other/src/options/index.html',
  },
  'a longer path': { id: WORLD_ID, origin: WORLD_ORIGIN, url: `${WORLD_ORIGIN}/src/options/index.html/x` },
};

describe('trust by what the browser says', () => {
  it.each(Object.entries(STRANGERS))('closes the port of %s before it can ask', async (_who, sender) => {
    const read = vi.fn<() => number>(() => 1);
    const world = createCounterWorld({ 'counter.read': read });
    const port = world.openPage(sender as Sender).openRawPort();

    port.post({ kind: 'query', id: 1, name: 'counter.read', attempt: 1, timeout: 60_000 });

    await vi.waitFor(() => expect(port.isClosed()).toBe(true));
    expect(read).not.toHaveBeenCalled();
    expect(port.received).toEqual([]);
  });

  it.each(['popup', 'options'] as const)('knows the %s page by its address', (page) => {
    const trusted = {
      id: WORLD_ID,
      origin: WORLD_ORIGIN,
      pages: { popup: 'src/popup/index.html', options: 'src/options/index.html' },
    };

    expect(identifyCaller(senderOf(page), trusted)).toBe(page);
    expect(identifyCaller({ ...senderOf(page), url: `${senderOf(page).url}?a=1#/b` }, trusted)).toBe(page);
  });

  it('knows the pages of Firefox, whose scheme gives a URL no origin', () => {
    const origin = 'moz-extension://5bd6a4a0-0000-4000-8000-000000000000';
    const sender = { id: 'a@b', origin, url: `${origin}/src/popup/index.html` };

    const caller = identifyCaller(sender, { id: 'a@b', origin, pages: { popup: 'src/popup/index.html' } });

    expect(caller).toBe('popup');
  });

  it('refuses a caller that the procedure does not list, before its input is looked at', async () => {
    const add = vi.fn<() => number>(() => 1);
    const world = createCounterWorld({ 'counter.add': add });
    const port = world.openPage('popup').openRawPort();

    port.post({
      kind: 'mutation',
      id: 1,
      name: 'counter.add',
      input: 'no number',
      page: 'p',
      attempt: 1,
      timeout: 60_000,
      sentAt: Date.now(),
    });

    await vi.waitFor(() => expect(port.received).toHaveLength(1));
    expect(port.received[0]).toEqual({ kind: 'error', id: 1, error: { code: 'FORBIDDEN' } });
    expect(add).not.toHaveBeenCalled();
  });

  it('answers the caller with the verdict of the worker', async () => {
    const { client } = createCounterWorld().openPage('popup');

    const error = await rejectionOf(client.mutate('counter.add', 1));

    expect(error).toMatchObject({ code: 'FORBIDDEN', delivery: 'handled' });
  });

  it('trusts what the browser says even when the sender names itself', async () => {
    const world = createCounterWorld();
    const port = world.openPage('popup').openRawPort();

    port.post({
      kind: 'mutation',
      id: 1,
      name: 'counter.add',
      input: 1,
      page: 'p',
      attempt: 1,
      timeout: 60_000,
      sentAt: Date.now(),
      caller: 'options',
    });

    await vi.waitFor(() => expect(port.received).toHaveLength(1));
    expect(port.received[0]).toMatchObject({ error: { code: 'FORBIDDEN' } });
    expect(world.disk.keys()).toEqual([]);
  });
});
