import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineCallers, page } from '../../src/messaging/callers.ts';
import { defineContract, mutation, query, subscription } from '../../src/messaging/contract.ts';
import { defineCollection, defineDocument } from '../../src/messaging/state/documents.ts';
import { createState } from '../../src/messaging/state/state.ts';
import type { Store } from '../../src/messaging/state/store.ts';

const schema = v.number();

it.each(['a', 'Reading-list_2'])('a document and a collection can have the key %j', (key) => {
  expect(defineDocument({ key, schema, initial: 0 })).toMatchObject({ kind: 'document', key, version: 1 });
  expect(defineCollection({ key, schema })).toMatchObject({ kind: 'collection', key, version: 1 });
});

it.each(['', 'a/b', 'inbox', 'journal', 'quarantine', 'toString', '__proto__', 'half \uD800'])(
  'neither a document nor a collection can have the key %j',
  (key) => {
    const message = `"${key}" cannot be the key of a document or a collection.`;

    expect(() => defineDocument({ key, schema, initial: 0 })).toThrow(message);
    expect(() => defineCollection({ key, schema })).toThrow(message);
  },
);

it('a contract has the procedures of all its records, with their defaults', () => {
  const callers = defineCallers({ popup: page('popup.html') });
  const shared = { callers: ['popup'], errors: {}, effect: 'state', maxSize: 4 * 1024 * 1024 };

  const contract = defineContract(
    callers,
    { 'one.read': query({ callers: ['popup'], output: schema }) },
    { 'two.change': mutation({ callers: ['popup'], output: schema }) },
    { 'three.watch': subscription({ callers: ['popup'], output: schema }) },
  );

  expect(contract).toEqual({
    'one.read': { ...shared, kind: 'query', output: schema },
    'two.change': { ...shared, kind: 'mutation', output: schema },
    'three.watch': { ...shared, kind: 'subscription', output: schema },
  });
});

it('a document and a collection cannot share a key', () => {
  const twice = [
    defineDocument({ key: 'same', schema, initial: 0 }),
    defineCollection({ key: 'same', schema }),
  ];

  expect(() => createState({} as Store, twice, () => {})).toThrow(
    'Two documents or collections have the key "same".',
  );
});
