import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import type { Json } from '../../src/messaging/wire/json.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { MAX_NAME } from '../../src/messaging/wire/frames.ts';
import { defineDocument } from '../../src/messaging/define/documents.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { testCallers } from '../support/counter.ts';
import { createFeatureWorld } from '../support/feature-world.ts';
import { ask, callOf, outcomeOfFrame } from '../support/raw-calls.ts';
import { rejectionOf } from '../support/promises.ts';

const { query, mutation, subscription } = proceduresFor(testCallers);
const anything = v.custom<Json>(() => true);
const sampleDocument = defineDocument({ key: 'sample', schema: anything, initial: null });

describe('an input', () => {
  it('is rejected before it is sent if it is not JSON', async () => {
    const world = createCounterWorld();

    const error = await rejectionOf(world.openPage('options').client.mutate('counter.add', Number.NaN));

    const issues = [{ path: '', message: 'NaN is not JSON' }];
    expect(error).toMatchObject({ code: 'NOT_JSON', delivery: 'not-sent', issues });
    expect(world.starts()).toBe(0);
  });

  it.each(['json', 'clone'] as const)(
    'is sent over the %s wire with its contents at the time of the call',
    async (wire) => {
      const seen: unknown[] = [];
      const add = mutation({
        callers: ['options'],
        input: anything,
        output: anything,
        handle: ({ input, state }) => {
          seen.push(input);
          state.write(sampleDocument, input);
          // A structured clone refuses a proxy, so the core must have copied it.
          return new Proxy({ ...(input as object), isProxy: true }, {});
        },
      });
      const world = createFeatureWorld({ 'sample.add': add }, [sampleDocument], { wire });
      const { client } = world.openPage('options');
      const sample: { text: Json } = { text: ['first'] };
      world.killWorkerAt('before-commit');

      const first = client.mutate('sample.add', sample);
      sample.text = 'second';
      const second = client.mutate('sample.add', new Proxy(sample, {}));
      sample.text = Number.NaN;

      expect([await first, await second]).toEqual([
        { text: ['first'], isProxy: true },
        { text: 'second', isProxy: true },
      ]);
      // Both workers have run the first call.
      expect(seen).toEqual([{ text: ['first'] }, { text: ['first'] }, { text: 'second' }]);
    },
  );

  it('is copied when a subscription is opened, before its first value is requested', async () => {
    const echo = subscription({
      callers: ['options'],
      input: anything,
      output: anything,
      handle: async function* ({ input }) {
        yield input;
      },
    });
    const { client } = createFeatureWorld({ 'sample.follow': echo }).openPage('options');
    const input = ['first'];

    const values = client.subscribe('sample.follow', input);
    input[0] = 'second';

    expect((await values.next()).value).toEqual(['first']);
  });

  it('is limited to the `maxSize` of its procedure, in characters of JSON, of which an escaped one counts once', async () => {
    const { client } = createCounterWorld().openPage('popup');

    const fits = await client.query('text.echo', '\u0001'.repeat(998));
    const error = await rejectionOf(client.query('text.echo', '\u0001'.repeat(999)));

    expect(fits).toHaveLength(998);
    expect(error).toMatchObject({ code: 'TOO_LARGE', delivery: 'handled' });
    expect(error.message).toContain('more than 1000 characters');
  });

  it.each([
    ['does not fit the schema', 'INVALID_INPUT', { input: -3 }, '', '-3'],
    ['is missing', 'INVALID_INPUT', { input: undefined }, '', 'undefined'],
    ['is not expected', 'INVALID_INPUT', { name: 'counter.tick' }, '', 'No input is expected.'],
    [
      'has a bad key',
      'NOT_JSON',
      { input: JSON.parse('{"__proto__":1}') },
      '__proto__',
      'cannot have this name',
    ],
  ])('is rejected by the background when it %s', async (_what, code, parts, path, message) => {
    const world = createCounterWorld();
    const port = world.openPage('options').openRawPort();

    const [answer] = await ask(port, callOf('counter.add', parts));

    const issues = [{ path, message: expect.stringContaining(message) }];
    expect(answer).toEqual({ kind: 'error', id: 1, error: { code, issues } });
    expect(world.disk.dataOf('counter')).toBeUndefined();
  });

  it.each([
    ['an unknown procedure', { name: 'counter.reset' }],
    ['an unknown procedure with the longest name', { name: 'n'.repeat(MAX_NAME) }],
    ['an inherited name', { name: 'constructor' }],
    ['a procedure of another kind', { kind: 'query' }],
  ])('ends in UNKNOWN_PROCEDURE when it is sent to %s', async (_what, parts) => {
    const outcome = await outcomeOfFrame(
      createCounterWorld().openPage('options'),
      callOf('counter.add', parts),
    );

    expect(outcome).toBe('UNKNOWN_PROCEDURE');
  });
});

it.each(['', 'x'.repeat(MAX_NAME + 1)])('a call is not sent to the procedure %j', async (name) => {
  const world = createCounterWorld();

  const error = await rejectionOf(world.openPage('options').client.query(name as 'counter.read'));

  expect(error).toMatchObject({ code: 'UNKNOWN_PROCEDURE', delivery: 'not-sent' });
  expect(world.starts()).toBe(0);
});

describe('an output', () => {
  it.each([
    ['that does not fit its schema', 1, 'error data of "text.add" is wrong (INVALID_INPUT)'],
    ['over the limit', 'a'.repeat(1_001), 'more than 1000 characters'],
  ])('%s ends the call in INTERNAL, and nothing is written', async (_what, output, message) => {
    const text = mutation({
      callers: ['options'],
      output: v.string(),
      maxSize: 1_000,
      handle: ({ state }) => {
        state.write(sampleDocument, 1);
        return output as string;
      },
    });
    const world = createFeatureWorld({ 'text.add': text }, [sampleDocument]);

    const error = await rejectionOf(world.openPage('options').client.mutate('text.add'));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled', issues: [] });
    expect(world.disk.dataOf(sampleDocument.key)).toBeUndefined();
    expect(String(world.logged.get(error.incident ?? ''))).toContain(message);
  });

  it('is sent exactly as it was validated, even if it has getters or a toJSON', async () => {
    class Texts extends Array<string> {
      toJSON(): unknown {
        return 1;
      }
    }
    const returns = ['later', 'first'];
    const texts = Texts.from(['']);
    Object.defineProperty(texts, '0', { enumerable: true, get: () => returns.pop() });
    const output = v.array(v.custom<string>((text) => text === 'first'));
    const read = query({ callers: ['options'], output, handle: () => texts });
    const world = createFeatureWorld({ 'texts.read': read });

    expect(await world.openPage('options').client.query('texts.read')).toEqual(['first']);
  });
});
