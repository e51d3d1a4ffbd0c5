import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import {
  contentScript,
  defineCallers,
  identifyCaller,
  page,
  patternsOverlap,
  type Sender,
} from '../../src/messaging/callers.ts';
import { defineFeature, defineFeatures, joinProcedures } from '../../src/messaging/feature.ts';
import { proceduresFor } from '../../src/messaging/procedures.ts';
import { testCallers } from '../support/counter.ts';
import { WORLD } from '../support/memory-world.ts';

const matches = ['https://example.org/*'];
const callers = defineCallers({ popup: page('popup.html'), reader: contentScript({ matches, maxCalls: 2 }) });

describe('a caller', () => {
  const site = { id: WORLD.id, origin: 'https://example.org', url: 'https://example.org/page' };

  it.each<[what: string, sender: Sender, expected: object]>([
    [
      'a content script, with everything that the browser states',
      { ...site, frameId: 3, documentId: 'd', tab: { id: 7, incognito: true } },
      {
        info: {
          name: 'reader',
          origin: site.origin,
          url: site.url,
          frameId: 3,
          documentId: 'd',
          tabId: 7,
          isPrivate: true,
        },
        maxSize: 64 * 1024,
        maxCalls: 2,
      },
    ],
    [
      'a content script of a browser that states little',
      site,
      { info: { name: 'reader', origin: site.origin, url: site.url }, maxSize: 64 * 1024, maxCalls: 2 },
    ],
    [
      'a page of the extension, without limits',
      { ...WORLD, url: `${WORLD.origin}/popup.html` },
      {
        info: { name: 'popup', origin: WORLD.origin, url: `${WORLD.origin}/popup.html` },
        maxSize: Infinity,
        maxCalls: Infinity,
      },
    ],
  ])('is %s', (_what, sender, expected) => {
    expect(identifyCaller(callers, sender, WORLD)).toStrictEqual(expected);
  });

  it.each<[sender: Sender | undefined, refusal: string]>([
    [undefined, 'an unknown address (origin unknown) is not a part of this extension.'],
    [
      { ...site, id: 'other' },
      'https://example.org/page (origin https://example.org) is not a part of this extension.',
    ],
    [
      { ...site, url: 'about:blank' },
      'about:blank (origin https://example.org) is not in the table of callers.',
    ],
  ])('is refused with a reason: %j', (sender, refusal) => {
    expect(identifyCaller(callers, sender, WORLD)).toEqual({ refusal });
  });

  it.each(['background', 'content/admin', ''])('cannot have the name %j', (name) => {
    expect(() => defineCallers({ [name]: page('popup.html') })).toThrow(
      `"${name}" cannot be the name of a caller`,
    );
  });
});

it.each([
  ['https://localhost:443/*', 'https://localhost/*', true],
  ['http://localhost:80/*', 'http://localhost:81/*', false],
  ['http://localhost:65535/*', '*://localhost/*', true],
  ['https://*.example.org/*', 'https://example.org/*', true],
  ['https://example.org/*', 'https://*.example.org/*', true],
  ['https://a.example.org/*', 'https://b.example.org/*', false],
  ['http://example.org/*', 'https://example.org/*', false],
  ['<all_urls>', 'http://example.org/*', true],
])('whether %s and %s match a common address is %s', (a, b, expected) => {
  expect(patternsOverlap(a, b)).toBe(expected);
});

describe('features', () => {
  const { query } = proceduresFor(testCallers);
  const procedure = query({ callers: ['popup'], output: v.null(), handle: () => null });
  const long = `a.${'x'.repeat(98)}`;
  const one = defineFeature({ procedures: { 'a.one': procedure } });
  const two = defineFeature({ procedures: { 'a.two': procedure } });
  const named = (name: string) => ({ ...one, procedures: { [name]: procedure } });

  it('are joined in the order in which they are listed', () => {
    const features = defineFeatures([one, two]);

    expect(Object.keys(joinProcedures(features))).toEqual(['a.one', 'a.two']);
  });

  it.each([
    [[one, two, one], 'Two features have a procedure "a.one".'],
    [[named(`${long}x`)], `"${long}x" has more than 100 characters.`],
  ])('cannot be joined if a name is taken or too long', (features, message) => {
    expect(() => joinProcedures(features)).toThrow(new TypeError(message));
  });

  it('can have a procedure whose name has 100 characters', () => {
    expect(joinProcedures([named(long)])).toHaveProperty([long]);
  });
});
