import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';

import { contentScript, defineCallers, page } from '../../src/messaging/callers.ts';
import { createClient } from '../../src/messaging/client/client.ts';
import { defineContract, mutation, type NameOf, query, subscription } from '../../src/messaging/contract.ts';
import {
  type BackgroundOptions,
  createBackground,
  type Handlers,
} from '../../src/messaging/server/background.ts';
import { defineCollection, defineDocument } from '../../src/messaging/state/documents.ts';
import type { Changes } from '../../src/messaging/state/state.ts';
import type { Connect } from '../../src/messaging/wire.ts';

const callers = defineCallers({
  popup: page('popup.html'),
  options: page('options.html'),
  content: contentScript({ matches: ['https://example.org/*'] }),
});

const counter = defineDocument({ key: 'counter', schema: v.number(), initial: 0 });
const notes = defineCollection({ key: 'notes', schema: v.object({ text: v.string() }) });

const contract = defineContract(callers, {
  'counter.read': query({ callers: ['popup', 'options'], output: v.number() }),
  'counter.add': mutation({
    callers: ['options', 'background'],
    input: v.strictObject({ by: v.number(), comment: v.exactOptional(v.string()) }),
    output: v.number(),
    errors: { tooHigh: v.object({ most: v.number() }) },
  }),
  'counter.watch': subscription({ callers: ['popup'], input: v.array(v.string()), output: v.number() }),
  'bell.ring': mutation({ callers: ['popup'], output: v.number(), effect: 'external' }),
  'day.read': query({ callers: ['popup'], input: v.pipe(v.string(), v.toDate()), output: v.null() }),
});

declare const connect: Connect;
declare const options: BackgroundOptions;
const client = createClient<typeof contract>(connect);

const handlers: Handlers<typeof contract> = {
  'counter.read': ({ caller, input, state, fail }) => {
    expectTypeOf(caller).toEqualTypeOf<'popup' | 'options'>();
    expectTypeOf(input).toEqualTypeOf<undefined>();
    expectTypeOf(fail).parameter(0).toBeNever();
    expectTypeOf(state).not.toHaveProperty('write');
    return 1;
  },
  'counter.add': ({ input, state, fail }) => {
    expectTypeOf(input.by).toEqualTypeOf<number>();
    state.write(counter, 1);
    // @ts-expect-error the data has a wrong type
    state.write(counter, 'one');
    // @ts-expect-error a document is not a text
    state.write('counter', 1);
    // @ts-expect-error the new data has a wrong type
    void state.update(counter, () => 'one');
    // @ts-expect-error a document has no records
    void state.get(counter, 'id');
    // @ts-expect-error the record has a wrong type
    state.set(notes, 'id', { title: 'text' });
    // @ts-expect-error a collection is not a document
    void state.read(notes);
    expectTypeOf(state.read(counter)).resolves.toEqualTypeOf<number>();
    expectTypeOf(state.get(notes, 'id')).resolves.toEqualTypeOf<{ text: string } | undefined>();
    // @ts-expect-error the error is not declared
    void fail('tooLow', { most: 1 });
    throw fail('tooHigh', { most: 1 });
  },
  'counter.watch': async function* ({ input, state }) {
    expectTypeOf(input).toEqualTypeOf<string[]>();
    expectTypeOf(state.watch(counter)).toExtend<AsyncGenerator<number, void>>();
    expectTypeOf(state.watch(notes)).toExtend<AsyncGenerator<Changes<{ text: string }>, void>>();
    yield 1;
  },
  'bell.ring': ({ state }) => {
    expectTypeOf(state).not.toHaveProperty('write');
    return 1;
  },
  'day.read': ({ input }) => {
    expectTypeOf(input).toEqualTypeOf<Date>();
    return null;
  },
};

test('types of input and output come from the contract', () => {
  expectTypeOf(client.query('counter.read')).resolves.toEqualTypeOf<number>();
  expectTypeOf(client.query('day.read', 'today')).resolves.toEqualTypeOf<null>();
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

test('handlers that do not fit the contract do not compile', () => {
  createBackground(contract, handlers, options);
  const { 'counter.read': _, ...rest } = handlers;
  // @ts-expect-error a handler is missing
  createBackground(contract, rest, options);
  // @ts-expect-error an output has a wrong type
  createBackground(contract, { ...rest, 'counter.read': () => '1' }, options);
  // @ts-expect-error a subscription's handler must be a generator
  createBackground(contract, { ...handlers, 'counter.watch': () => 1 }, options);
  expectTypeOf<Handlers<typeof contract>>().not.toHaveProperty('counter.reset');
});

test('a procedure that the core cannot serve does not compile', () => {
  // @ts-expect-error its name is not of the form noun.verb
  defineContract(callers, { counter: query({ callers: ['popup'], output: v.null() }) });
  // @ts-expect-error its caller is mistyped
  defineContract(callers, { 'counter.read': query({ callers: ['optoins'], output: v.null() }) });
  // @ts-expect-error it has no caller
  query({ output: v.null() });
  // @ts-expect-error it has no caller
  query({ callers: [], output: v.null() });
  // @ts-expect-error only a mutation has an effect
  query({ callers: ['popup'], output: v.null(), effect: 'external' });
});

test('records of features are joined into one contract', () => {
  const noteCalls = {
    'notes.list': query({ callers: ['popup'], output: v.array(v.string()) }),
    'notes.add': mutation({ callers: ['options', 'background'], input: v.string(), output: v.null() }),
  };
  const tagCalls = { 'tags.list': query({ callers: ['popup', 'content'], output: v.array(v.number()) }) };

  const joined = defineContract(callers, noteCalls, tagCalls);
  expectTypeOf<keyof typeof joined>().toEqualTypeOf<'notes.list' | 'notes.add' | 'tags.list'>();
  expectTypeOf<NameOf<typeof joined, 'query'>>().toEqualTypeOf<'notes.list' | 'tags.list'>();
  const joinedClient = createClient<typeof joined>(connect);
  expectTypeOf(joinedClient.query('notes.list')).resolves.toEqualTypeOf<string[]>();
  expectTypeOf(joinedClient.query('tags.list')).resolves.toEqualTypeOf<number[]>();
  expectTypeOf<Parameters<Handlers<typeof joined>['notes.add']>[0]['input']>().toEqualTypeOf<string>();
  expectTypeOf<Parameters<Handlers<typeof joined>['tags.list']>[0]['caller']>().toEqualTypeOf<
    'popup' | 'content'
  >();
});

test('records that cannot be joined do not compile', () => {
  const noteCalls = { 'notes.list': query({ callers: ['popup'], output: v.array(v.string()) }) };
  const mistyped = { 'tags.list': query({ callers: ['optoins'], output: v.null() }) };
  const unnamed = { tags: query({ callers: ['popup'], output: v.null() }) };
  const repeated = { 'notes.list': query({ callers: ['options'], output: v.null() }) };

  // @ts-expect-error a caller of the second record is mistyped
  defineContract(callers, noteCalls, mistyped);
  // @ts-expect-error a name of the second record is not of the form noun.verb
  defineContract(callers, noteCalls, unnamed);
  // @ts-expect-error both records have a procedure of the same name
  defineContract(callers, noteCalls, repeated);
});

test('a schema whose values may not be JSON does not compile', () => {
  // @ts-expect-error a date in an array in an object
  query({ callers: ['popup'], output: v.object({ at: v.array(v.date()) }) });
  // @ts-expect-error a member that may be undefined
  query({ callers: ['popup'], input: v.object({ at: v.optional(v.string()) }), output: v.null() });
  // @ts-expect-error a map
  subscription({ callers: ['popup'], output: v.map(v.string(), v.string()) });
  // @ts-expect-error anything
  query({ callers: ['popup'], output: v.unknown() });
  // @ts-expect-error the data of a declared error
  query({ callers: ['popup'], output: v.null(), errors: { late: v.date() } });
});

test('a declared error carries typed data', () => {
  const error: unknown = undefined;
  if (client.isDeclared('counter.add', 'tooHigh', error)) {
    expectTypeOf(error.declared.data).toEqualTypeOf<{ most: number }>();
  }
  // @ts-expect-error the error is not declared
  client.isDeclared('counter.add', 'tooLow', error);
});

test('the background can call only procedures that list it', () => {
  const background = createBackground(contract, handlers, options);

  expectTypeOf(background.mutate('counter.add', { by: 1 }, { key: 'k' })).resolves.toEqualTypeOf<number>();
  background.watch(counter, (count) => expectTypeOf(count).toEqualTypeOf<number>());
  // @ts-expect-error it does not list the background
  void background.mutate('bell.ring');
  // @ts-expect-error it does not list the background
  void background.query('counter.read');
  // @ts-expect-error the key has a wrong type
  void background.mutate('counter.add', { by: 1 }, { key: 1 });
  // @ts-expect-error a document is not a text
  background.watch('counter', () => {});
});

test('a caller with the name of the background does not compile', () => {
  // @ts-expect-error the name is reserved
  defineCallers({ background: page('background.html') });
});

test('initial data that does not fit its schema does not compile', () => {
  // @ts-expect-error it has a wrong type
  defineDocument({ key: 'counter', schema: v.number(), initial: 'none' });
});
