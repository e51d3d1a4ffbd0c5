import * as v from 'valibot';
import { expect, it } from 'vitest';

import { contentScript } from '../../../src/messaging/define/define-callers.ts';
import { defineFeature } from '../../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { defineCollection, defineDocument, RESERVED } from '../../../src/messaging/define/documents.ts';
import { defineService } from '../../../src/messaging/define/services.ts';
import { defineTask } from '../../../src/messaging/define/tasks.ts';
import { testCallers } from '../../support/counter.ts';
import { createFeatureWorld } from '../../support/feature-world.ts';
import { createMemoryWorld } from '../../support/memory-world.ts';

const NOT_POSITIVE: readonly unknown[] = [0, -1, Number.NaN, '5', null, {}];

const script = (limits: object) => contentScript({ matches: ['https://example.org/*'], ...limits });
const task = (parts: object) => defineTask({ name: 'a', data: v.string(), run: async () => 0, ...parts });
const service = (limits: object) => defineService(limits);
const query = (maxSize: unknown) =>
  proceduresFor(testCallers).query({
    callers: ['options'],
    output: v.string(),
    maxSize: maxSize as number,
    handle: () => '',
  });

it.each<[where: string, declare: (limit: unknown) => unknown, isWhole: boolean]>([
  ['`maxSize` of a procedure', query, true],
  ['`maxSize` of a content script', (maxSize) => script({ maxSize }), true],
  ['`maxCalls` of a content script', (maxCalls) => script({ maxCalls }), true],
  ['`attempts` of a task', (attempts) => task({ attempts }), true],
  ['`concurrency` of a service', (concurrency) => service({ concurrency }), true],
  ['`timeout` of a task', (timeout) => task({ timeout }), false],
  ['`age` of a task', (age) => task({ age }), false],
  ['`perSecond` of a service', (perSecond) => service({ perSecond }), false],
])('%s must be a positive number', (_where, declare, isWhole) => {
  const refused = [...NOT_POSITIVE, ...(isWhole ? [1.5] : [])];

  for (const limit of refused) expect(() => declare(limit), String(limit)).toThrow(TypeError);
  expect(() => declare(5)).not.toThrow();
});

const schema = v.number();

it.each(['a', 'Reading-list_2'])('a document and a collection can have the key %j', (key) => {
  expect(defineDocument({ key, schema, initial: 0 })).toMatchObject({ kind: 'document', key, version: 1 });
  expect(defineCollection({ key, schema })).toMatchObject({ kind: 'collection', key, version: 1 });
});

it.each(['', 'a/b', 'toString', ...RESERVED])(
  'neither a document nor a collection can have the key %j',
  (key) => {
    const message = `"${key}" cannot be the key of a document or a collection.`;

    expect(() => defineDocument({ key, schema, initial: 0 })).toThrow(message);
    expect(() => defineCollection({ key, schema })).toThrow(message);
  },
);

it('a document and a collection cannot share a key', () => {
  const documents = [
    defineDocument({ key: 'same', schema, initial: 0 }),
    defineCollection({ key: 'same', schema }),
  ];
  const world = createFeatureWorld({}, documents);

  expect(() => world.fire(() => {})).toThrow('Two documents or collections have the key "same".');
});

it('several features can list the same document and the same task', async () => {
  const shared = {
    documents: [defineDocument({ key: 'same', schema, initial: 0 })],
    tasks: [defineTask({ name: 'call', data: v.null(), run: async () => 1 })],
  };
  const world = createMemoryWorld({
    callers: testCallers,
    features: [defineFeature(shared), defineFeature(shared)],
  });

  expect(() => world.fire(() => {})).not.toThrow();
});

it('two tasks cannot share a name', () => {
  const features = ['one', 'two'].map((answer) =>
    defineFeature({ tasks: [defineTask({ name: 'call', data: v.null(), run: async () => answer })] }),
  );

  expect(() => createMemoryWorld({ callers: testCallers, features }).fire(() => {})).toThrow(
    new TypeError('Two tasks have the name "call".'),
  );
});

it.each([
  ['no name', { name: '' }, /name .* 1 to 100 characters, not 0\./],
  ['a long name', { name: 'x'.repeat(101) }, /name .* 1 to 100 characters, not 101\./],
  ['a timeout that is too long', { timeout: 2 ** 31 }, /timeout above 2147483647 ms/],
])('a task cannot have %s', (_what, parts, message) => {
  expect(() => task(parts)).toThrow(TypeError);
  expect(() => task(parts)).toThrow(message);
});
