import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineCollection } from '../../../src/messaging/define/documents.ts';
import { damageOf } from '../../../src/messaging/state/damage.ts';
import { defineTask } from '../../../src/messaging/define/tasks.ts';
import type { StateWriter } from '../../../src/messaging/define/handler-state.ts';
import { logOf } from '../../support/counter-world.ts';
import { createNotesWorld, notes, total } from '../../support/notes-world.ts';
import { never, rejectionOf } from '../../support/promises.ts';

const job = defineTask({ name: 'job', data: v.string(), run: never });
const unlisted = defineCollection({ key: 'unlisted', schema: v.string() });
const setNote = (id: unknown) => (state: StateWriter) =>
  state.set(notes, id as string, { text: 'text', done: false });
const delayBy = (delay: unknown) => (state: StateWriter) =>
  state.enqueue(job, '', { delay: delay as number });

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
  [
    'the damage of a strange object',
    (state) => damageOf({ ...state }).inspect(),
    /^TypeError: .*state of a handler/,
  ],
  ['a number that is not JSON', (state) => state.write(total, NaN), /^JsonError: total: NaN is not JSON/],
])('an error names the fault, and nothing is written: %s', async (_fault, work, message) => {
  const { world, change } = createNotesWorld({ tasks: [job] });

  const { code } = await rejectionOf(
    change(async (state) => {
      state.write(total, 1);
      await work(state);
    }),
  );

  expect([code, world.disk.dataOf('total')]).toEqual(['INTERNAL', undefined]);
  expect(logOf(world)).toEqual([expect.stringMatching(message)]);
});
