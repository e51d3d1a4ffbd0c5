import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';

import { createClient } from '../../src/messaging/client/client.ts';
import { defineContract, mutation, query, subscription } from '../../src/messaging/contract.ts';
import type { Handlers, ServerOptions } from '../../src/messaging/server/server.ts';
import type { Connect } from '../../src/messaging/wire.ts';
import { createServer } from '../../src/messaging/server/server.ts';

const contract = defineContract({
  'counter.read': query({ callers: ['popup', 'options'], output: v.number() }),
  'counter.add': mutation({
    callers: ['options'],
    input: v.strictObject({ by: v.number(), comment: v.exactOptional(v.string()) }),
    output: v.number(),
    errors: { tooHigh: v.object({ most: v.number() }) },
  }),
  'counter.watch': subscription({ callers: ['popup'], input: v.array(v.string()), output: v.number() }),
});

declare const connect: Connect;
declare const options: ServerOptions;
const client = createClient<typeof contract>(connect);

test('types of input and output come from the contract', () => {
  expectTypeOf(client.query('counter.read')).resolves.toEqualTypeOf<number>();
  expectTypeOf(client.mutate('counter.add', { by: 1 }, { timeout: 5 })).resolves.toEqualTypeOf<number>();
  expectTypeOf(client.subscribe('counter.watch', ['a'])).toExtend<AsyncIterable<number>>();
});

test('a call that does not fit the contract does not compile', () => {
  // @ts-expect-error the input is missing
  void client.mutate('counter.add');
  // @ts-expect-error the input has a wrong type
  void client.mutate('counter.add', { by: '1' });
  // @ts-expect-error a member is unknown
  void client.mutate('counter.add', { by: 1, twice: true });
  // @ts-expect-error no input is expected
  void client.query('counter.read', 1);
  // @ts-expect-error a mutation is not a query
  void client.query('counter.add', { by: 1 });
  // @ts-expect-error there is no such procedure
  void client.query('counter.reset');
});

const read = () => 1;
const watch = async function* () {
  yield 1;
};

test('handlers are given what the contract says', () => {
  createServer(
    contract,
    {
      'counter.read': ({ caller, input, fail }) => {
        expectTypeOf(fail).parameter(0).toBeNever();
        expectTypeOf(caller).toEqualTypeOf<'popup' | 'options'>();
        expectTypeOf(input).toEqualTypeOf<undefined>();
        return 1;
      },
      'counter.add': ({ caller, input, fail }) => {
        expectTypeOf(caller).toEqualTypeOf<'options'>();
        expectTypeOf(input.by).toEqualTypeOf<number>();
        // @ts-expect-error the error is not declared
        void fail('tooLow', { most: 1 });
        throw fail('tooHigh', { most: 1 });
      },
      'counter.watch': async function* ({ input }) {
        expectTypeOf(input).toEqualTypeOf<string[]>();
        yield 1;
      },
    },
    options,
  );
});

test('handlers that do not fit the contract do not compile', () => {
  // @ts-expect-error a handler is missing
  createServer(contract, { 'counter.read': read, 'counter.watch': watch }, options);

  const add = () => 1;
  // @ts-expect-error an output has a wrong type
  createServer(contract, { 'counter.read': () => '1', 'counter.add': add, 'counter.watch': watch }, options);
  // @ts-expect-error a subscription's handler must be a generator
  createServer(contract, { 'counter.read': read, 'counter.add': add, 'counter.watch': read }, options);
  expectTypeOf<Handlers<typeof contract>>().not.toHaveProperty('counter.reset');
});

test('a query cannot change state', () => {
  createServer(
    contract,
    {
      'counter.read': ({ state }) => {
        // only a mutation is given a transaction
        expectTypeOf(state).not.toHaveProperty('set');
        return 1;
      },
      'counter.add': ({ state }) => {
        state.set('counter', 1);
        // @ts-expect-error state is JSON
        state.set('counter', new Date());
        return 1;
      },
      'counter.watch': watch,
    },
    options,
  );
});

test('a schema that lets something through that is not JSON does not compile', () => {
  // @ts-expect-error a date
  query({ callers: ['popup'], output: v.date() });
  // @ts-expect-error a date further in
  query({ callers: ['popup'], output: v.object({ at: v.array(v.date()) }) });
  // @ts-expect-error a member that may be undefined
  query({ callers: ['popup'], input: v.object({ at: v.optional(v.string()) }), output: v.null() });
  // @ts-expect-error a bigint
  mutation({ callers: ['popup'], input: v.bigint(), output: v.null() });
  // @ts-expect-error a map
  subscription({ callers: ['popup'], output: v.map(v.string(), v.string()) });
  // @ts-expect-error anything
  query({ callers: ['popup'], output: v.unknown() });
  // @ts-expect-error the data of a declared error
  query({ callers: ['popup'], output: v.null(), errors: { late: v.date() } });
});

test('a schema may turn JSON into something else for the handler', () => {
  const dated = query({
    callers: ['popup'],
    input: v.pipe(
      v.string(),
      v.transform((text) => new Date(text)),
    ),
    output: v.null(),
  });

  createServer(
    { 'day.read': dated },
    {
      'day.read': ({ input }) => {
        expectTypeOf(input).toEqualTypeOf<Date>();
        return null;
      },
    },
    options,
  );
});

test('a procedure whose name is not of the form noun.verb does not compile', () => {
  // @ts-expect-error there is no verb
  defineContract({ counter: query({ callers: ['popup'], output: v.null() }) });
});

test('a procedure without callers does not compile', () => {
  // @ts-expect-error it has no caller
  query({ output: v.null() });
  // @ts-expect-error it has no caller
  query({ callers: [], output: v.null() });
});

test('a declared error carries typed data', () => {
  const error: unknown = undefined;
  if (client.isDeclared('counter.add', 'tooHigh', error)) {
    expectTypeOf(error.declared.data).toEqualTypeOf<{ most: number }>();
  }
  // @ts-expect-error the error is not declared
  client.isDeclared('counter.add', 'tooLow', error);
});
