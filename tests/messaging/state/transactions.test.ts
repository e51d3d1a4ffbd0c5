import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { defineCollection, defineDocument } from '../../../src/messaging/state/documents.ts';
import { damageOf } from '../../../src/messaging/state/quarantine.ts';
import { defineTask } from '../../../src/messaging/state/tasks.ts';
import type { StateReader, StateWriter } from '../../../src/messaging/state/transaction.ts';
import { logOf } from '../../support/counter-world.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { createDeferred, never, rejectionOf, sleep } from '../../support/promises.ts';
import { holding, recordStore } from '../../support/store-faults.ts';
import { advance, SECOND, withFakeTimers } from '../../support/time.ts';

withFakeTimers();

const note = { text: 'text', done: false };
const job = defineTask({ name: 'job', data: v.string(), run: never });
const chore = defineTask({ name: 'chore', data: v.string(), run: never });

it.each([1, 10, 11])('the ids of a collection follow a change of %d records', async (size) => {
  const { read, change } = createNotesWorld();
  const idsFrom = (first: number): string[] =>
    Array.from({ length: size }, (_item, index) => String(1_000 + first + index));
  const ids = () => read((state) => state.ids(notes));

  await change((state) => {
    for (const id of idsFrom(size)) state.set(notes, id, note);
  });
  const before = await ids();
  await change((state) => {
    for (const id of idsFrom(0)) state.set(notes, id, note);
    state.remove(notes, 'none');
    for (const id of idsFrom(size).slice(1)) state.remove(notes, id);
  });

  expect([before, await ids()]).toEqual([idsFrom(size), [...idsFrom(0), String(1_000 + size)]]);
});

it('a record that fits its schema, but is not JSON, counts as unreadable', async () => {
  const strange = { version: 2, data: { ...note, extra: 1n } };
  const { world, read } = createNotesWorld({ patchStore: holding('notes/a', strange) });
  for (const id of ['a', 'b']) world.disk.write(`notes/${id}`, { version: 2, data: note });

  const seen = await read(async (state) => [await state.list(notes), (await state.get(notes, 'a')) ?? null]);

  expect(seen).toEqual([[{ id: 'b', data: note }], null]);
});

describe('a task', () => {
  it('is listed by its name, with its id and the end of its delay', async () => {
    const { world, change } = createNotesWorld({ tasks: [job, chore] });
    world.disk.write('queue/task/0', 'not a task');

    const [id, listed] = await change(async (state) => {
      state.enqueue(chore, 'other');
      return [state.enqueue(job, 'data', { delay: 5 * SECOND }), await state.list(job)];
    });

    expect(listed).toEqual([{ id, data: 'data', tries: 0, due: Date.now() + 5 * SECOND }]);
  });

  it('is enqueued without a read of the tasks', async () => {
    const { patchStore, reads } = recordStore();
    const { change } = createNotesWorld({ tasks: [job], patchStore });

    await change((state) => state.enqueue(job, 'data', { delay: SECOND }));

    expect(reads.flat().filter((key) => key.startsWith('queue/task/'))).toEqual([]);
  });

  it.each([
    [0, 1],
    [1, 0],
  ])(
    'with a delay of %d ms counts %d attempts of the background that enqueued it and died',
    async (delay, tries) => {
      const { world, read, change } = createNotesWorld({ tasks: [job] });
      world.killWorkerAt('after-commit');

      const id = await change((state) => state.enqueue(job, 'data', { delay }));
      await advance(2 * SECOND);

      expect(await read((state) => state.list(job))).toMatchObject([{ id, tries }]);
    },
  );
});

describe('an error names the fault:', () => {
  const declare = (parts: object) => (): unknown =>
    defineTask({ name: 'a', data: v.string(), run: never, ...parts });
  const long = 'x'.repeat(101);
  const unlisted = defineCollection({ key: 'unlisted', schema: v.string() });
  const setNote = (id: unknown) => (state: StateWriter) => state.set(notes, id as string, note);
  const delayBy = (delay: unknown) => (state: StateWriter) =>
    state.enqueue(job, '', { delay: delay as number });

  it.each<[fault: string, work: () => unknown, message: RegExp]>([
    ['a task without a name', declare({ name: '' }), /name .* 1 to 100 characters, not 0\./],
    ['a task with a long name', declare({ name: long }), /name .* 1 to 100 characters, not 101\./],
    ['a timeout that is too long', declare({ timeout: 2 ** 31 }), /timeout above 2147483647 ms/],
    ['the damage of a strange object', () => damageOf({} as StateReader), /state of a handler/],
  ])('%s', (_fault, work, message) => {
    expect(work).toThrow(TypeError);
    expect(work).toThrow(message);
  });

  it.each<[fault: string, work: (state: StateWriter) => unknown, message: RegExp]>([
    ['the limit of a list', (state) => state.list(notes, { limit: 0 }), /^TypeError: .*limit of a list/],
    ['the limit of ids', (state) => state.ids(notes, { limit: 1.5 }), /^TypeError: .*limit of a list/],
    ['the start of a list', (state) => state.list(notes, { after: '' }), /^TypeError: .*id of a record/],
    ['an empty id', setNote(''), /^TypeError: .*id of a record .* 1 to 200 characters/],
    ['an id that is too long', setNote('x'.repeat(201)), /^TypeError: .*id of a record/],
    ['an id with half a character', setNote('\uD800'), /^TypeError: .*id of a record/],
    ['an id that is not a text', setNote(7), /^TypeError: .*id of a record/],
    [
      'a collection that is not in the list',
      (state) => state.set(unlisted, 'a', ''),
      /^TypeError: "unlisted" must be among the `documents`/,
    ],
    ['a negative delay of a task', delayBy(-1), /^TypeError: .*delay of a task/],
    ['a delay of a task without an end', delayBy(Infinity), /^TypeError: .*delay of a task/],
    ['a delay of a task that is text', delayBy('5'), /^TypeError: .*delay of a task/],
    [
      'data of a task',
      (state) => state.enqueue(job, 5 as never),
      /^TypeError: .*data of the task ".*" does not fit its schema\. Invalid/,
    ],
    [
      'data of a record',
      (state) => state.set(notes, 'a', { text: 7 } as never),
      /^TypeError: .*data of "notes\/a" does not fit its schema\./,
    ],
    ['a number that is not JSON', (state) => state.write(total, NaN), /^JsonError: total: NaN is not JSON/],
  ])('%s, and nothing is written', async (_fault, work, message) => {
    const { world, change } = createNotesWorld({ tasks: [job] });

    const { code } = await rejectionOf(
      change(async (state) => {
        state.write(total, 1);
        await work(state);
      }),
    );

    expect([code, world.disk.keys()]).toEqual(['INTERNAL', []]);
    expect(logOf(world)).toEqual([expect.stringMatching(message)]);
  });
});

it('updates of one handler that run at the same time read what the others have written', async () => {
  const { world, change } = createNotesWorld();
  const add = (state: StateWriter, text: string) =>
    state.update(total, (before) => (text === '' ? fail() : before + text.length));

  await change(async (state) => {
    const results = await Promise.allSettled([add(state, 'a'), add(state, ''), add(state, 'bc')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  expect(world.disk.dataOf('total')).toBe(3);
});

function fail(): never {
  throw new Error('no');
}

it('a change after the handler has returned throws, also while its changes are validated', async () => {
  const slow = defineDocument({
    key: 'slow',
    schema: v.pipeAsync(
      v.number(),
      v.checkAsync(() => sleep(20).then(() => true)),
    ),
    initial: 0,
  });
  const { change, world } = createNotesWorld({ documents: [total, slow] });
  const late = createDeferred<unknown>();

  const changed = change((state) => {
    state.write(total, 1);
    state.write(slow, 1);
    setTimeout(() => {
      try {
        late.resolve(state.write(total, 5));
      } catch (error) {
        late.resolve(error);
      }
    }, 5);
  });
  await advance(100);
  await changed;

  expect(String(await late.promise)).toContain('until it ends');
  expect(world.disk.dataOf('total')).toBe(1);
});
