import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineFeature } from '../../src/messaging/feature.ts';
import { defineCollection, defineDocument } from '../../src/messaging/state/documents.ts';
import { defineTask } from '../../src/messaging/state/tasks.ts';
import { testCallers } from '../support/counter.ts';
import { createMemoryWorld } from '../support/memory-world.ts';

const schema = v.number();

it.each(['a', 'Reading-list_2'])('a document and a collection can have the key %j', (key) => {
  expect(defineDocument({ key, schema, initial: 0 })).toMatchObject({ kind: 'document', key, version: 1 });
  expect(defineCollection({ key, schema })).toMatchObject({ kind: 'collection', key, version: 1 });
});

it.each([
  '',
  'a/b',
  'inbox',
  'journal',
  'quarantine',
  'queue',
  'store',
  'toString',
  '__proto__',
  'half \uD800',
])('neither a document nor a collection can have the key %j', (key) => {
  const message = `"${key}" cannot be the key of a document or a collection.`;

  expect(() => defineDocument({ key, schema, initial: 0 })).toThrow(message);
  expect(() => defineCollection({ key, schema })).toThrow(message);
});

it('a document and a collection cannot share a key', () => {
  const documents = [
    defineDocument({ key: 'same', schema, initial: 0 }),
    defineCollection({ key: 'same', schema }),
  ];
  const world = createMemoryWorld({ callers: testCallers, features: [defineFeature({ documents })] });

  expect(() => world.fire(() => {})).toThrow('Two documents or collections have the key "same".');
});

it('two tasks cannot share a name', () => {
  const features = ['one', 'two'].map((answer) =>
    defineFeature({ tasks: [defineTask({ name: 'call', data: v.null(), run: async () => answer })] }),
  );

  expect(() => createMemoryWorld({ callers: testCallers, features }).fire(() => {})).toThrow(
    new TypeError('Two tasks have the name "call".'),
  );
});
