import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { quarantine, readDocument } from '../../src/background/document.ts';
import type { Document } from '../../src/background/document.ts';
import { documents } from '../../src/background/documents.ts';
import type { Json } from '../../src/messaging/json.ts';
import { specimen } from '../support/versioned-extension/specimen.ts';

describe('a document', () => {
  it('has its initial data until it is written', () => {
    expect(readDocument(specimen, undefined)).toEqual({ status: 'absent', data: specimen.initial });
  });

  it('has one version more than migrations', () => {
    expect(specimen.version).toBe(3);
  });

  it.each([
    [1, { text: 'a\nb' }],
    [2, { lines: ['a', 'b'] }],
  ])('of version %d is migrated step by step', (version, data) => {
    expect(readDocument(specimen, { version, data })).toEqual({
      status: 'older',
      data: { lines: ['a', 'b'], color: 'red' },
    });
  });

  it('keeps members that its schema does not know', () => {
    const data = { lines: [], color: 'blue', size: { of: 'later' } };

    expect(readDocument(specimen, { version: 3, data })).toEqual({ status: 'current', data });
  });

  it('is not read if a newer version wrote it', () => {
    expect(readDocument(specimen, { version: 4, data: { lines: [1] } })).toEqual({
      status: 'newer',
      data: specimen.initial,
    });
  });

  it.each([
    ['no document', 'text'],
    ['of no version', { data: { lines: [], color: 'red' } }],
    ['of version 0', { version: 0, data: { text: '' } }],
    ['of version 1.5', { version: 1.5, data: { text: '' } }],
    ['nothing in particular', { version: 3 }],
    ['not what its schema wants', { version: 3, data: { lines: [], color: 'green' } }],
    ['what a migration cannot read', { version: 1, data: null }],
    ['with a member that validation would drop', { version: 3, data: { ...specimen.initial, prototype: 1 } }],
    [
      'with a member of an inherited name',
      { version: 3, data: { ...specimen.initial, toString: 1 } as never },
    ],
    [
      'with such a member further in',
      { version: 3, data: { lines: [], color: 'red', size: [{ prototype: 1 }] } },
    ],
    ['what a migration makes nothing of', { version: 2, data: { lines: 5 } }],
  ])('that is %s cannot be read', (_what, stored: Json) => {
    expect(readDocument(specimen, stored)).toMatchObject({ status: 'invalid', data: specimen.initial });
  });
});

describe('whatever is stored', () => {
  const all: readonly Document<unknown>[] = [specimen, quarantine, ...Object.values(documents)];
  const envelope = fc.record(
    { version: fc.oneof(fc.integer({ min: -1, max: 5 }), fc.jsonValue()), data: nearlyRight() },
    { requiredKeys: [] },
  );

  it('can be read, without an exception, as data that fits the schema', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.oneof(envelope, fc.jsonValue()), (document, stored) => {
        const before = JSON.stringify(stored);

        const { data } = readDocument(document, stored as Json);

        expect(v.is(document.schema, data)).toBe(true);
        expect(JSON.stringify(stored)).toBe(before);
      }),
      { numRuns: 5_000 },
    );
  });
});

function nearlyRight(): fc.Arbitrary<unknown> {
  return fc.oneof(
    fc.record(
      {
        theme: fc.constantFrom('system', 'light', 'dark', 'sepia', 3),
        text: fc.string(),
        lines: fc.array(fc.oneof(fc.string(), fc.integer())),
        color: fc.constantFrom('red', 'blue', null),
        later: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    fc.array(fc.record({ document: fc.string(), at: fc.integer(), value: fc.jsonValue() }), { maxLength: 3 }),
    fc.jsonValue(),
  );
}
