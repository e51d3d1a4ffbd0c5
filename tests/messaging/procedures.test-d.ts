import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';

import { contentScript, defineCallers, page } from '../../src/messaging/define/define-callers.ts';
import { createClient } from '../../src/messaging/client/client.ts';
import { type ApiOf, defineFeature } from '../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { type BackgroundOptions, createBackground } from '../../src/messaging/background.ts';
import { defineCollection, defineDocument } from '../../src/messaging/define/documents.ts';
import type { Changes } from '../../src/messaging/define/handler-state.ts';
import type { Connect } from '../../src/messaging/wire/frames.ts';

const callers = defineCallers({
  popup: page('popup.html'),
  options: page('options.html'),
  content: contentScript({ matches: ['https://example.org/*'] }),
});
const { query, mutation, subscription, expose } = proceduresFor(callers);

const counter = defineDocument({ key: 'counter', schema: v.number(), initial: 0 });
const notes = defineCollection({ key: 'notes', schema: v.object({ text: v.string() }) });

const counterFeature = defineFeature({
  // The procedures are inferred although `start` comes first.
  start: ({ background }) => {
    expectTypeOf(background.mutate('counter.add', { by: 1 }, { key: 'k' })).resolves.toEqualTypeOf<number>();
    background.watch(counter, (count) => expectTypeOf(count).toEqualTypeOf<number>());
    // @ts-expect-error no query lists the background
    void background.query('counter.read');
    // @ts-expect-error it does not list the background
    void background.mutate('counter.clear');
    // @ts-expect-error the key has a wrong type
    void background.mutate('counter.add', { by: 1 }, { key: 1 });
    // @ts-expect-error a document is not a text
    background.watch('counter', () => {});
  },
  documents: [counter],
  procedures: {
    'counter.read': query({
      callers: ['popup', 'options'],
      output: v.number(),
      handle: ({ caller, input, state, fail }) => {
        expectTypeOf(caller.name).toEqualTypeOf<'popup' | 'options'>();
        expectTypeOf(caller.tabId).toEqualTypeOf<number | undefined>();
        expectTypeOf(input).toEqualTypeOf<undefined>();
        expectTypeOf(fail).parameter(0).toBeNever();
        expectTypeOf(state).not.toHaveProperty('write');
        return state.read(counter);
      },
    }),
    'counter.add': mutation({
      // The input, the errors and the result are inferred although `handle` comes first.
      handle: ({ input, state, fail }) => {
        expectTypeOf(input).toEqualTypeOf<{ by: number; comment?: string }>();
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
        expectTypeOf(state.get(notes, 'id')).resolves.toEqualTypeOf<{ readonly text: string } | undefined>();
        // @ts-expect-error the error is not declared
        void fail('tooLow', { most: 1 });
        // @ts-expect-error the data of the error has a wrong type
        void fail('tooHigh', 1);
        if (input.by > 5) throw fail('tooHigh', { most: 5 });
        return state.update(counter, (count) => count + input.by);
      },
      errors: { tooHigh: v.object({ most: v.number() }) },
      output: v.number(),
      input: v.strictObject({ by: v.number(), comment: v.exactOptional(v.string()) }),
      callers: ['options', 'background'],
    }),
    'counter.clear': mutation({
      callers: ['popup'],
      handle: async ({ state }) => state.write(counter, 0),
    }),
    'counter.watch': subscription({
      callers: ['popup'],
      input: v.array(v.string()),
      output: v.number(),
      handle: async function* ({ input, state }) {
        expectTypeOf(input).toEqualTypeOf<string[]>();
        expectTypeOf(state.watch(notes)).toExtend<AsyncGenerator<Changes<{ text: string }>, void>>();
        yield* state.watch(counter);
      },
    }),
    'day.read': query({
      callers: ['popup'],
      input: v.pipe(v.string(), v.toDate()),
      output: v.string(),
      handle: ({ input }) => input.toISOString(),
    }),
  },
});

const nothing = { callers: ['popup'], output: v.null() } as const;
const notesFeature = defineFeature({
  documents: [notes],
  procedures: { 'notes.clear': query({ ...nothing, handle: () => null }) },
});

test('a feature can call the procedures of those that it uses', () => {
  defineFeature({
    uses: [counterFeature, notesFeature],
    start: ({ background }) => {
      expectTypeOf(background.mutate('counter.add', { by: 1 })).resolves.toEqualTypeOf<number>();
      // @ts-expect-error it does not list the background
      void background.query('notes.clear');
    },
  });
});

const features = [counterFeature, notesFeature] as const;
type Api = ApiOf<typeof features>;

declare const connect: Connect;
declare const options: BackgroundOptions;
const client = createClient<Api>(connect);

test('a client has the procedures of all features, with the types of their inputs and outputs', () => {
  expectTypeOf(client.query('counter.read')).resolves.toEqualTypeOf<number>();
  expectTypeOf(client.query('day.read', 'today')).resolves.toEqualTypeOf<string>();
  expectTypeOf(client.query('notes.clear')).resolves.toEqualTypeOf<null>();
  expectTypeOf(client.mutate('counter.add', { by: 1 }, { timeout: 5 })).resolves.toEqualTypeOf<number>();
  expectTypeOf(client.mutate('counter.clear')).resolves.toEqualTypeOf<void>();
  expectTypeOf(client.subscribe('counter.watch', ['a'])).toExtend<AsyncIterable<number>>();
  const background = createBackground(features, options);
  expectTypeOf(background.mutate('counter.add', { by: 1 })).resolves.toEqualTypeOf<number>();
});

test('a call that does not fit its procedure does not compile', () => {
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

test('a call of a page that its procedure does not list does not compile', () => {
  const popup = createClient<Api, 'popup'>(connect);
  const content = createClient<Api, 'content'>(connect);

  void popup.mutate('counter.clear');
  // @ts-expect-error it does not list the popup
  void popup.mutate('counter.add', { by: 1 });
  // @ts-expect-error no mutation lists the content script
  void content.mutate('counter.clear');
});

test('a handler that is missing or does not fit does not compile', () => {
  const [number, text] = [v.number(), v.object({ text: v.string() })];
  const shared = { callers: ['popup'] } as const;

  // @ts-expect-error the handler is missing
  query({ ...shared, output: number });
  // @ts-expect-error the result has a wrong type
  query({ ...shared, output: number, handle: () => '1' });
  // @ts-expect-error a member of the result has a wrong type
  query({ ...shared, output: text, handle: async () => ({ text: 1 }) });
  // @ts-expect-error a subscription returns values one after the other
  subscription({ ...shared, output: number, handle: () => 1 });
  subscription({
    ...shared,
    output: number,
    // @ts-expect-error the values have a wrong type
    handle: async function* () {
      yield '1';
    },
  });
  // The result of a mutation without an output is not used.
  mutation({ ...shared, handle: ({ state }) => state.update(counter, (count) => count + 1) });
  // @ts-expect-error a mutation with an output returns a value
  mutation({ ...shared, output: number, handle: ({ state }) => state.write(counter, 1) });
});

test('callers that are missing or unknown do not compile', () => {
  const shared = { output: v.null(), handle: () => null };

  // @ts-expect-error it has no callers
  query(shared);
  // @ts-expect-error it has no caller
  query({ ...shared, callers: [] });
  // @ts-expect-error the caller is mistyped
  query({ ...shared, callers: ['optoins'] });
  // @ts-expect-error the name is reserved
  defineCallers({ background: page('background.html') });
});

test('a schema whose values may not be JSON does not compile', () => {
  const handle = (): never => {
    throw new Error('unused');
  };
  const shared = { callers: ['popup'], handle } as const;

  // @ts-expect-error a date in an array in an object
  query({ ...shared, output: v.object({ at: v.array(v.date()) }) });
  // @ts-expect-error a member that may be undefined
  query({ ...shared, input: v.object({ at: v.optional(v.string()) }), output: v.null() });
  // @ts-expect-error members that may be undefined
  mutation({ ...shared, input: v.partial(v.object({ theme: v.string() })) });
  // @ts-expect-error a map
  subscription({ ...shared, output: v.map(v.string(), v.string()) });
  // @ts-expect-error anything
  mutation({ ...shared, output: v.unknown() });
  // @ts-expect-error the data of a declared error
  query({ ...shared, output: v.null(), errors: { late: v.date() } });
});

test('features that cannot be joined do not compile', () => {
  const procedure = query({ ...nothing, handle: () => null });

  // @ts-expect-error the name is not of the form noun.verb
  defineFeature({ procedures: { notes: procedure } });
  // @ts-expect-error a function is not a procedure
  defineFeature({ procedures: { 'notes.list': () => [] } });
  // @ts-expect-error the member is mistyped
  defineFeature({ procedure: { 'notes.list': procedure } });
  // @ts-expect-error a listener that is registered after an `await` is too late
  defineFeature({ start: async ({ background }) => background.watch(counter, () => {}) });
});

test('exposed state has the types of its data and of its callers', () => {
  const exposed = defineFeature({
    documents: [counter, notes],
    procedures: {
      ...expose('counter', counter, { watch: ['popup', 'options'], change: ['options'] }),
      ...expose('note', notes, { watch: ['options'], change: ['options'] }),
    },
  });
  const writer = createClient<ApiOf<readonly [typeof exposed]>, 'options'>(connect);
  const reader = createClient<ApiOf<readonly [typeof exposed]>, 'popup'>(connect);

  expectTypeOf(writer.subscribe('note.watch')).toExtend<
    AsyncGenerator<readonly { id: string; data: { text: string } }[], void>
  >();
  void writer.mutate('counter.write', 1);
  void writer.mutate('note.set', { id: 'a', data: { text: '' } });
  // @ts-expect-error the data has a wrong type
  void writer.mutate('counter.write', 'one');
  // @ts-expect-error the record has no id
  void writer.mutate('note.set', { data: { text: '' } });
  // @ts-expect-error a record is removed by its id
  void writer.mutate('note.remove', { id: 'a' });
  // @ts-expect-error the popup only watches
  void reader.mutate('counter.write', 1);
  // @ts-expect-error there is no such caller
  expose('counter', counter, { watch: ['popup'], change: ['side'] });
  // @ts-expect-error a list of callers is missing
  expose('counter', counter, { watch: ['popup'] });
});

test('a declared error carries typed data', () => {
  const error: unknown = undefined;
  if (client.isDeclared('counter.add', 'tooHigh', error)) {
    expectTypeOf(error.declared.data).toEqualTypeOf<{ most: number }>();
  }
  // @ts-expect-error the error is not declared
  client.isDeclared('counter.add', 'tooLow', error);
});

test('initial data that does not fit its schema does not compile', () => {
  // @ts-expect-error it has a wrong type
  defineDocument({ key: 'counter', schema: v.number(), initial: 'none' });
});

// https://github.com/wxt-dev/wxt/issues/1173 and https://github.com/Tampermonkey/tampermonkey/issues/2318
test('stored data that is not JSON, or that its schema does not accept again, does not compile', () => {
  const key = 'stored';

  // @ts-expect-error a date
  defineDocument({ key, schema: v.date(), initial: new Date() });
  // @ts-expect-error a set in an object
  defineCollection({ key, schema: v.object({ tags: v.set(v.string()) }) });
  // @ts-expect-error a member that may be undefined
  defineCollection({ key, schema: v.object({ tag: v.optional(v.string()) }) });
  // @ts-expect-error a date that was made of a text
  defineDocument({ key, schema: v.pipe(v.string(), v.toDate()), initial: new Date() });
  // @ts-expect-error a number that was made of a text, which accepts no number
  defineDocument({ key, schema: v.pipe(v.string(), v.toNumber()), initial: 0 });
  defineDocument({ key, schema: v.object({ count: v.optional(v.number(), 0) }), initial: { count: 0 } });
  defineCollection({ key, schema: v.looseObject({ text: v.pipe(v.string(), v.trim()) }) });
  defineCollection({ key, schema: v.object({ tags: v.pipe(v.array(v.string()), v.readonly()) }) });
});

test('an input of type any is passed to the procedure', () => {
  const feature = defineFeature({
    procedures: {
      'any.echo': query({ callers: ['popup'], input: v.any(), output: v.string(), handle: () => '' }),
    },
  });
  const anyClient = createClient<ApiOf<readonly [typeof feature]>>(connect);

  expectTypeOf(anyClient.query('any.echo', { by: 1 })).resolves.toEqualTypeOf<string>();
  // @ts-expect-error the input is missing
  void anyClient.query('any.echo');
});
