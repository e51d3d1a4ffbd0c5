import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';

import { defineContract, mutation, query } from '../../src/messaging/contract.ts';
import type { Json } from '../../src/messaging/json.ts';
import { createCounterWorld } from '../support/counter-world.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import type { Wire } from '../support/memory-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

/** A call of a mutation as a page would send it, but for the parts given. */
function mutationFrame(parts: object): object {
  return {
    kind: 'mutation',
    id: 1,
    name: 'counter.add',
    input: 1,
    page: 'p',
    attempt: 1,
    timeout: 60_000,
    sentAt: Date.now(),
    ...parts,
  };
}

/** Takes samples of any JSON. What its handler returns is a proxy, which no clone takes. */
function createSampleWorld({ wire, onAdd }: { wire: Wire; onAdd: (sample: unknown) => void }) {
  const contract = defineContract({
    'sample.add': mutation({
      callers: ['options'],
      input: v.custom<Json>(() => true),
      output: v.custom<Json>(() => true),
    }),
  });
  return createMemoryWorld({
    contract,
    wire,
    handlers: {
      'sample.add': ({ input, state }) => {
        onAdd(input);
        state.set('sample', input);
        return new Proxy({ ...(input as object), isProxy: true }, {});
      },
    },
  });
}

describe('input is validated before a handler sees it', () => {
  it('refuses an input that does not fit the schema, says where, and changes nothing', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');

    const error = await rejectionOf(client.mutate('counter.add', -3));

    expect(error).toMatchObject({ code: 'INVALID_INPUT', delivery: 'handled' });
    expect(error.issues).toEqual([{ path: '', message: expect.stringContaining('-3') }]);
    expect(world.disk.keys()).toEqual([]);
  });

  it.each([
    ['NaN', Number.NaN],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['undefined within', { by: undefined }],
    ['a date', new Date(0)],
  ])('refuses %s before it is sent', async (_what, input) => {
    const world = createCounterWorld();
    const { client } = world.openPage('options');

    const error = await rejectionOf(client.mutate('counter.add', input as number));

    expect(error).toMatchObject({ code: 'NOT_JSON', delivery: 'not-sent' });
    expect(world.starts()).toBe(0);
  });

  it.each(['json', 'clone'] as const)(
    'sends over the %s wire what it was given when it was called',
    async (wire) => {
      const seen: unknown[] = [];
      const world = createSampleWorld({ wire, onAdd: (sample) => seen.push(sample) });
      const { client } = world.openPage('options');
      const sample: { text: Json } = { text: ['first'] };
      world.killWorkerAt('before-commit');

      const first = client.mutate('sample.add', sample);
      sample.text = 'second';
      const second = client.mutate('sample.add', new Proxy(sample, {}));
      sample.text = Number.NaN;
      await Promise.all([first, second]);

      // The first was run by both workers.
      expect(seen).toEqual([{ text: ['first'] }, { text: ['first'] }, { text: 'second' }]);
    },
  );

  it('answers with the returned value, even if it is a proxy', async () => {
    const world = createSampleWorld({ wire: 'clone', onAdd: () => {} });

    const added = await world.openPage('options').client.mutate('sample.add', { text: 'a' });

    expect(added).toEqual({ text: 'a', isProxy: true });
  });

  it('refuses an input over the limit of its procedure, counted in characters of JSON', async () => {
    const world = createCounterWorld();
    const { client } = world.openPage('popup');

    const fits = await client.query('text.echo', '\u0001'.repeat(166));
    const error = await rejectionOf(client.query('text.echo', '\u0001'.repeat(167)));

    expect(fits).toHaveLength(166);
    expect(error).toMatchObject({ code: 'TOO_LARGE', delivery: 'handled' });
    expect(error.message).toContain('more than 1000 characters');
  });

  it.each([
    ['an input over the limit', 'TOO_LARGE', { name: 'text.echo', kind: 'query', input: 'a'.repeat(1_001) }],
    ['a wrong input', 'INVALID_INPUT', { input: '1' }],
    ['a missing input', 'INVALID_INPUT', { input: undefined }],
    ['an input where none is expected', 'INVALID_INPUT', { name: 'counter.read', kind: 'query' }],
    ['a key that reaches the prototype', 'NOT_JSON', { input: JSON.parse('{"__proto__":{"a":1}}') }],
    ['an unknown procedure', 'UNKNOWN_PROCEDURE', { name: 'counter.reset' }],
    ['an inherited name', 'UNKNOWN_PROCEDURE', { name: 'constructor' }],
    ['a name of the prototype', 'UNKNOWN_PROCEDURE', { name: '__proto__' }],
    ['a procedure of another kind', 'UNKNOWN_PROCEDURE', { kind: 'query' }],
  ])('answers %s that gets past the page with %s', async (_what, code, parts) => {
    const world = createCounterWorld();
    const port = world.openPage('options').openRawPort();

    port.post(mutationFrame(parts));

    await vi.waitFor(() => expect(port.received).toHaveLength(1));
    expect(port.received[0]).toMatchObject({ kind: 'error', id: 1, error: { code } });
    expect(world.disk.keys()).toEqual([]);
  });

  it('reports an output that breaks the contract as its own failure, and writes nothing', async () => {
    const world = createCounterWorld({
      'counter.add': ({ state }) => {
        state.set('counter', 1);
        return 'one' as unknown as number;
      },
    });

    const error = await rejectionOf(world.openPage('options').client.mutate('counter.add', 1));

    expect(error).toMatchObject({ code: 'INTERNAL', delivery: 'handled' });
    expect(world.disk.keys()).toEqual([]);
    expect(String(world.logged.get(error.incident ?? ''))).toContain("handler's output breaks the contract");
  });

  it('validates the output that is sent, whatever a getter or a toJSON gives the next time', async () => {
    class Texts extends Array<string> {
      toJSON(): unknown {
        return 1;
      }
    }
    const contract = defineContract({
      'texts.read': query({
        callers: ['options'],
        output: v.array(v.custom<string>((text) => text === 'first')),
      }),
    });
    let reads = 0;
    const texts = Texts.from(['']);
    Object.defineProperty(texts, '0', {
      enumerable: true,
      get: () => ((reads += 1) === 1 ? 'first' : 'later'),
    });
    const world = createMemoryWorld({ contract, handlers: { 'texts.read': () => texts } });

    expect(await world.openPage('options').client.query('texts.read')).toEqual(['first']);
  });

  it('limits the length of the issues that it reports', async () => {
    const contract = defineContract({
      'list.check': query({ callers: ['options'], input: v.array(v.string()), output: v.null() }),
    });
    const world = createMemoryWorld({ contract, handlers: { 'list.check': () => null } });
    const port = world.openPage('options').openRawPort();

    port.post({
      kind: 'query',
      id: 1,
      name: 'list.check',
      attempt: 1,
      timeout: 9_000,
      input: Array(5_000).fill(0),
    });

    await vi.waitFor(() => expect(port.received).toHaveLength(1));
    expect(JSON.stringify(port.received[0]).length).toBeLessThan(5_000);
  });

  it('runs a call once when its frame arrives twice', async () => {
    let runs = 0;
    const world = createCounterWorld({
      'counter.add': ({ input }) => {
        runs += 1;
        return input;
      },
    });
    const port = world.openPage('options').openRawPort();

    port.post(mutationFrame({}));
    port.post(mutationFrame({}));
    await vi.waitFor(() => expect(port.received).toHaveLength(1));
    port.post(mutationFrame({}));
    await vi.waitFor(() => expect(port.received).toHaveLength(2));

    expect(runs).toBe(1);
    expect(port.received[1]).toEqual(port.received[0]);
  });

  it('takes 2,000 frames of any shape without dying, and answers none with anything but an error', async () => {
    const world = createCounterWorld();
    const port = world.openPage('options').openRawPort();
    const count = fc.oneof(
      // Mostly right, or hardly a frame of 2,000 would come as far as to be answered.
      { arbitrary: fc.integer({ min: 1, max: 9_999 }), weight: 5 },
      { arbitrary: fc.constantFrom(0, -1, 1.5, '1', null), weight: 1 },
    );
    const frame = fc.record(
      {
        kind: fc.constantFrom('query', 'mutation', 'subscription', 'pull', 'abort', 'value', '__proto__', 7),
        id: count,
        // Nothing here is both known and given what it takes, so every answer must be an error.
        name: fc.constantFrom('counter.add', 'counter.reset', 'constructor', '__proto__', '', 7),
        input: fc
          .oneof(fc.string(), fc.constantFrom(-1, 0.5, null, {}, []), fc.jsonValue({ maxDepth: 2 }))
          .filter((value) => !(Number.isInteger(value) && Number(value) > 0)),
        attempt: count,
        timeout: count,
        page: fc.constantFrom('p', '', 7),
        sentAt: count,
      },
      { requiredKeys: ['kind', 'id', 'name', 'attempt', 'timeout', 'page', 'sentAt'] },
    );
    const junk = fc.oneof(fc.jsonValue(), frame);

    fc.assert(
      fc.property(junk, (message) => {
        port.post(message);
      }),
      { numRuns: 2_000 },
    );

    expect(await world.openPage('options').client.query('counter.read')).toBe(0);
    await vi.waitFor(() => expect(port.received.length).toBeGreaterThan(20));
    expect(port.received.filter((answer) => (answer as { kind: string }).kind !== 'error')).toEqual([]);
    expect(world.starts()).toBe(1);
    expect(world.disk.keys()).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
