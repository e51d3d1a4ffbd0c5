import * as v from 'valibot';
import { expect, it } from 'vitest';

import { callers as appCallers } from '../../src/callers.ts';
import { defineFeature } from '../../src/messaging/define/feature.ts';
import { defineCollection, defineDocument } from '../../src/messaging/define/documents.ts';
import { expose } from '../../src/define.ts';
import type { CallError } from '../../src/messaging/wire/errors.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { rejectionOf } from '../support/promises.ts';

const sound = defineDocument({ key: 'sound', schema: v.boolean(), initial: true });
const words = defineCollection({ key: 'words', schema: v.object({ text: v.string() }) });
const callers = { watch: ['popup', 'options'], change: ['options'] } as const;

/** A setting and a list. */
const feature = defineFeature({
  documents: [sound, words],
  procedures: { ...expose('sound', sound, callers), ...expose('word', words, callers) },
});

const createWorld = () => createMemoryWorld({ callers: appCallers, features: [feature] as const });

it('lets pages watch and replace a document', async () => {
  const { client } = createWorld().openPage('options');
  const values = client.subscribe('sound.watch');
  const before = await values.next();

  await client.mutate('sound.write', false);

  expect([before.value, (await values.next()).value]).toEqual([true, false]);
});

it('lets pages watch, add, replace and remove the records of a collection', async () => {
  const { client } = createWorld().openPage('options');
  const lists = client.subscribe('word.watch');
  const seen = [(await lists.next()).value];

  for (const change of [
    () => client.mutate('word.set', { id: 'a', data: { text: 'one' } }),
    () => client.mutate('word.set', { id: 'a', data: { text: 'two' } }),
    () => client.mutate('word.remove', 'a'),
  ]) {
    await change();
    seen.push((await lists.next()).value);
  }

  const [one, two] = ['one', 'two'].map((text) => [{ id: 'a', data: { text } }]);
  expect(seen).toEqual([[], one, two, []]);
});

/** A text of 3 Mi characters. Two of them are more than one change may have by default. */
const long = 'x'.repeat(3 * 1024 * 1024);

it('lets pages watch more data than one change may have', async () => {
  const { client } = createWorld().openPage('options');

  for (const id of ['a', 'b']) await client.mutate('word.set', { id, data: { text: long } });

  expect((await client.subscribe('word.watch').next()).value).toHaveLength(2);
});

it('lets pages watch a document that has become larger by its schema', async () => {
  const Page = v.object({ text: v.string(), tags: v.optional(v.array(v.string()), ['a', 'b', 'c']) });
  const definition = defineDocument({ key: 'page', schema: Page, initial: { text: '', tags: [] } });
  const features = [
    defineFeature({ documents: [definition], procedures: expose('page', definition, callers) }),
  ] as const;
  const { client } = createMemoryWorld({ callers: appCallers, features }).openPage('options');
  const text = 'x'.repeat(4 * 1024 * 1024 - 30);

  await client.mutate('page.write', { text } as v.InferOutput<typeof Page>);

  expect((await client.subscribe('page.watch').next()).value).toEqual({ text, tags: ['a', 'b', 'c'] });
});

it.each([
  [10, 'TOO_LARGE'],
  [8 * 1024 * 1024, undefined],
])('lets pages change as much as `maxSize` allows: %d', async (maxSize, code) => {
  const features = [
    defineFeature({ documents: [words], procedures: expose('word', words, { ...callers, maxSize }) }),
  ] as const;
  const { client } = createMemoryWorld({ callers: appCallers, features }).openPage('options');

  const change = client.mutate('word.set', { id: 'a', data: { text: long + long } });

  expect(await change.catch((error: unknown) => (error as CallError).code)).toBe(code);
});

it.each([
  ['sound.write', 'loud', ['']],
  ['word.set', { id: 'a', data: { text: 1 } }, ['data.text']],
  ['word.set', { id: '', data: 1 }, ['id', 'data']],
  ['word.set', 'a', ['id', 'data']],
  ['word.remove', 'x'.repeat(201), ['']],
] as const)('rejects %s with %j, and names the fault', async (name, input, paths) => {
  const world = createWorld();
  const { client } = world.openPage('options');

  const error = await rejectionOf(client.mutate(name, input as never));

  expect(error).toMatchObject({ code: 'INVALID_INPUT', delivery: 'handled' });
  expect(error.issues.map(({ path }) => path)).toEqual(paths);
  expect(world.disk.keys().filter((key) => /^(sound|words)/.test(key))).toEqual([]);
});

it('refuses a change by a page that may only watch', async () => {
  const { client } = createWorld().openPage('popup');

  const error = await rejectionOf(client.mutate('sound.write', false));

  expect([error.code, (await client.subscribe('sound.watch').next()).value]).toEqual(['FORBIDDEN', true]);
});
