import { setMaxListeners } from 'node:events';

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { contentScript, defineCallers, page } from '../../src/messaging/define/define-callers.ts';
import { identifyCaller } from '../../src/messaging/server/identify-caller.ts';
import type { Sender } from '../../src/messaging/wire/frames.ts';
import { defineFeature } from '../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { createMemoryWorld, WORLD } from '../support/memory-world.ts';
import { rejectionOf, sleep } from '../support/promises.ts';

type Patterns = string | readonly string[];

const [origin, url] = ['https://example.org', 'https://example.org/page'];
const script: Sender = { id: WORLD.id, origin, url };

/** Returns the name of the caller that a content script at an address is identified as, if it may call. */
function nameOf(patterns: Patterns, site: string): string | undefined {
  const callers = defineCallers({ content: contentScript({ matches: [patterns].flat() }) });
  const caller = identifyCaller(callers, { id: WORLD.id, origin: site, url: `${site}/page` }, WORLD);
  return 'info' in caller ? caller.info.name : undefined;
}

const two = ['https://example.org/*', 'https://example.com/*'];

describe('a content script', () => {
  it.each<[Patterns, string]>([
    ['https://example.org/*', 'https://example.org'],
    ['https://example.org/*', 'https://example.org:8443'],
    ['https://example.org/some/path/*', 'https://example.org'],
    ['*://example.org/*', 'http://example.org'],
    ['*://example.org/*', 'https://example.org'],
    ['https://*.example.org/*', 'https://example.org'],
    ['https://*.example.org/*', 'https://a.b.example.org'],
    ['https://*/*', 'https://anything.test'],
    ['<all_urls>', 'http://anything.test'],
    ['https://example.org/*', 'https://example.org.'],
    ['http://localhost:8765/*', 'http://localhost:8765'],
    ['http://localhost:80/*', 'http://localhost'],
    ['https://localhost:443/*', 'https://localhost'],
    ['http://localhost:*/*', 'http://localhost:8765'],
    ['http://[::1]/*', 'http://[::1]:8765'],
    ['https://xn--bcher-kva.example/*', 'https://bücher.example'],
    [two, 'https://example.org'],
    [two, 'https://example.com'],
  ])('that matches %s may call from %s', (patterns, site) => {
    expect(nameOf(patterns, site)).toBe('content');
  });

  it.each<[Patterns, string]>([
    ['https://example.org/*', 'http://example.org'],
    ['https://example.org/*', 'https://www.example.org'],
    ['https://example.org/*', 'https://example.org.evil.test'],
    ['https://*.example.org/*', 'https://evilexample.org'],
    ['*://*/*', 'ftp://example.org'],
    ['<all_urls>', 'chrome-extension://world'],
    ['<all_urls>', 'null'],
    ['http://localhost:8765/*', 'http://localhost:8766'],
    ['http://localhost:8765/*', 'http://localhost'],
    [two, 'https://example.net'],
  ])('that matches %s may not call from %s', (patterns, site) => {
    expect(nameOf(patterns, site)).toBeUndefined();
  });

  it.each([
    ['', 'must have the form'],
    ['https://example.org', 'must have the form'],
    ['ftp://example.org/*', 'must have the form'],
    ['https://exa*mple.org/*', 'must have the form'],
    ['https:///*', 'must have the form'],
    ['view-source:https://example.org/*', 'must have the form'],
    ['https://example.org/*\n', 'must have the form'],
    ['https://a b/*', 'never matches, because its host is not valid'],
    ['https://Example.org/*', 'does not match in every browser. Write its host as "example.org"'],
    ['https://example.org./*', 'does not match in every browser. Write its host as "example.org"'],
    ['https://example..org/*', 'never matches, because its host is not valid'],
    ['https://*..org/*', 'never matches, because its host is not valid'],
    ['http://*.0.0.1/*', 'does not match in every browser. Write its host as "0.0.0.1"'],
    ['http://*.[::1]/*', 'must have the form'],
    ['http://localhost:99999/*', 'has a port that is not valid'],
    ['http://localhost:080/*', 'has a port that is not valid'],
    ['file:///*', 'cannot be a caller, because pages of the file system'],
  ])('cannot be declared with the pattern %j', (pattern, reason) => {
    expect(() => contentScript({ matches: [pattern] })).toThrow(`The match pattern "${pattern}" ${reason}`);
  });
});

it.each(['', '/popup.html', 'popup', 'popup.html?', 'https://example.org/popup'])(
  'a page cannot have the path %j',
  (path) => {
    expect(() => page(path)).toThrow(`"${path}" must be a path such as`);
  },
);

describe('a caller', () => {
  const document = { documentId: 'd', documentLifecycle: 'prerender' };
  const limits = { maxSize: 5, maxCalls: 2 };
  const reader = contentScript({ matches: ['https://example.org/*'], ...limits });
  const callers = defineCallers({ popup: page('popup.html'), reader });

  it.each<[what: string, sender: Sender, info: object, limits: object]>([
    [
      'a content script, with everything that the browser states',
      { ...script, frameId: 3, ...document, tab: { id: 7, incognito: true } },
      { name: 'reader', origin, url, frameId: 3, ...document, tabId: 7, isPrivate: true },
      limits,
    ],
    ['a content script of a browser that states little', script, { name: 'reader', origin, url }, limits],
    [
      'a page of the extension, without limits',
      { ...WORLD, url: `${WORLD.origin}/popup.html` },
      { name: 'popup', origin: WORLD.origin, url: `${WORLD.origin}/popup.html` },
      { maxSize: Infinity, maxCalls: Infinity },
    ],
  ])('is %s', (_what, sender, info, expected) => {
    expect(identifyCaller(callers, sender, WORLD)).toStrictEqual({ info, ...expected });
  });

  it.each<[sender: Sender | undefined, refusal: string]>([
    [undefined, 'an unknown address (origin unknown) is not a part of this extension.'],
    [{ ...script, id: 'other' }, `${url} (origin ${origin}) is not a part of this extension.`],
    [{ ...script, url: 'about:blank' }, `about:blank (origin ${origin}) is not in the table of callers.`],
    [{ ...script, url: undefined }, `an unknown address (origin ${origin}) is not in the table of callers.`],
    [{ ...script, origin: 'null' }, `${url} (origin null) is not in the table of callers.`],
  ])('is refused with a reason: %j', (sender, refusal) => {
    expect(identifyCaller(callers, sender, WORLD)).toEqual({ refusal });
  });

  it.each(['background', 'content/admin', ''])('cannot have the name %j', (name) => {
    expect(() => defineCallers({ [name]: page('popup.html') })).toThrow(
      `"${name}" cannot be the name of a caller`,
    );
  });
});

describe('the default limits of a content script', () => {
  function openWorld(limits: { readonly maxCalls?: number } = {}) {
    const matches = ['https://example.org/*'] as const;
    const callers = defineCallers({ content: contentScript({ matches, ...limits }) });
    const { query, mutation, subscription } = proceduresFor(callers);
    const echo = ({ input }: { readonly input: string }): string | Promise<string> =>
      input === 'wait' ? new Promise<string>(() => {}) : input;
    const shape = { callers: ['content'], input: v.string(), output: v.string() } as const;
    const feature = defineFeature({
      procedures: {
        'text.echo': query({ ...shape, handle: echo }),
        'text.keep': mutation({ ...shape, handle: echo }),
        'text.follow': subscription({
          ...shape,
          handle: async function* (context) {
            yield await echo(context);
          },
        }),
      },
    });
    return createMemoryWorld({ callers, features: [feature] });
  }

  const openScript = (limits?: { readonly maxCalls: number }) => openWorld(limits).openPage(url);

  it('are 64 Ki characters of input', async () => {
    const { client } = openScript();

    const error = await rejectionOf(client.query('text.echo', 'x'.repeat(64 * 1024)));

    expect(error.code).toBe('TOO_LARGE');
    expect(await client.query('text.echo', 'x'.repeat(64 * 1024 - 2))).toHaveLength(64 * 1024 - 2);
  });

  it('are 32 open calls', async () => {
    const { client } = openScript();
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const waiting = Array.from({ length: 32 }, () => rejectionOf(client.query('text.echo', 'wait', abort)));

    const error = await rejectionOf(client.query('text.echo', 'one too many'));
    abort.abort();
    await Promise.all(waiting);

    expect(error).toMatchObject({ code: 'TOO_MANY_CALLS', delivery: 'handled' });
    expect(await client.query('text.echo', 'again')).toBe('again');
  });

  it.each(['text.echo', 'text.follow'] as const)(
    'do not count calls of %s that were aborted in the same tick',
    async (name) => {
      const { client } = openScript({ maxCalls: 1 });
      const ask = (input: string, signal?: AbortSignal): Promise<unknown> =>
        name === 'text.echo'
          ? client.query(name, input, signal && { signal })
          : client.subscribe(name, input, signal && { signal }).next();
      const earlier = Array.from({ length: 40 }, () => new AbortController());
      const ended: Promise<unknown>[] = [];
      for (const [index, abort] of earlier.entries()) {
        ended.push(ask('wait', abort.signal).catch(() => {}));
        // The handler of the first call is running when the call is aborted.
        if (index === 0) await sleep(0);
        abort.abort();
      }

      const last = name === 'text.follow' ? { done: false, value: 'last' } : 'last';
      expect(await ask('last')).toEqual(last);
      await Promise.all(ended);
    },
  );

  it('count mutations that were aborted while they wait for their turn, beyond as many as may be open', async () => {
    const world = openWorld({ maxCalls: 1 });
    const slow = world.openPage(url).client;
    const abort = new AbortController();
    const waiting = slow.mutate('text.keep', 'wait', { signal: abort.signal }).catch(() => {});
    await sleep(0);
    const port = world.openPage(url).openRawPort();
    for (const id of [1, 2, 3]) {
      const frame = {
        kind: 'mutation',
        id,
        name: 'text.keep',
        input: 'x',
        attempt: 1,
        timeout: 1_000,
        page: 'p',
      };
      port.post({ ...frame, sentAt: Date.now() }, { kind: 'abort', id, reason: 'ABORTED' });
    }
    await sleep(0);
    abort.abort();
    await waiting;

    expect(port.received).toEqual([{ kind: 'error', id: 3, error: { code: 'TOO_MANY_CALLS' } }]);
  });
});
