import * as v from 'valibot';

import { sleep } from '../../../src/messaging/wire/waiting.ts';
import { ProcedureError } from '../../../src/messaging/wire/errors.ts';
import { defineFeature } from '../../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../../src/messaging/define/declare.ts';
import { defineDocument } from '../../../src/messaging/define/documents.ts';
import { defineService } from '../../../src/messaging/define/services.ts';
import { pauseService, runLater } from '../../../src/messaging/define/task-errors.ts';
import { defineTask } from '../../../src/messaging/define/tasks.ts';
import { testCallers } from '../../support/counter.ts';
import { never } from '../../support/promises.ts';
import { COURSES, TASKS } from './histories.ts';

const listed = defineDocument({ key: 'list', schema: v.array(v.number()), initial: [] });
const settledTasks = defineDocument({
  key: 'settled',
  schema: v.custom<readonly Settled[]>(Array.isArray),
  initial: [],
});
const cancelledTasks = defineDocument({ key: 'cancelled', schema: v.array(v.number()), initial: [] });
/** The disk refuses each write of this document. */
const refused = defineDocument({ key: 'refused', schema: v.number(), initial: 0 });

export type Settled = readonly [number: number, end: string];

const settle = (all: readonly Settled[], number: number, end: string): readonly Settled[] => [
  ...all,
  [number, end],
];

const { query: defineQuery, mutation } = proceduresFor(testCallers);

export interface Run {
  readonly number: number;
  readonly key: string;
}

/** Creates the feature of one worker. `die` ends that worker. */
export function createListFeature(runs: Run[], tried: Map<number, number>, die: () => void) {
  /** Counts how often something with this number was tried. */
  const countOf = (number: number): number => {
    tried.set(number, (tried.get(number) ?? 0) + 1);
    return tried.get(number) ?? 0;
  };
  const work = defineTask({
    name: 'work',
    data: v.object({ number: v.number(), course: v.picklist(TASKS) }),
    timeout: 3_000,
    attempts: 5,
    service: defineService({ concurrency: 2 }),
    run: async ({ data: { number, course }, key }) => {
      runs.push({ number, key });
      const count = runs.filter((run) => run.number === number).length;
      if (course === 'slow') await sleep(300);
      if (course === 'throws' || (course === 'flaky' && count <= 2)) throw new Error('broken');
      if (course === 'later' && count <= 2) throw runLater(5_000);
      if (course === 'paused' && count <= 2) throw pauseService(5_000);
      if (course === 'hangs') await never();
      return number;
    },
    done: async ({ data, result, state }) => {
      if (data.course === 'broken done') throw new Error('broken');
      await state.update(settledTasks, (all) => settle(all, result, 'done'));
    },
    failed: async ({ data, error, state }) => {
      await state.update(settledTasks, (all) => settle(all, data.number, `failed: ${String(error)}`));
    },
  });
  return defineFeature({
    documents: [listed, settledTasks, cancelledTasks, refused],
    tasks: [work],
    procedures: {
      'list.read': defineQuery({
        callers: ['options'],
        output: v.number(),
        handle: async ({ state }) => (await state.read(listed)).length,
      }),
      'list.add': mutation({
        callers: ['options', 'background'],
        input: v.object({
          number: v.number(),
          course: v.picklist(COURSES),
          task: v.nullable(v.picklist(TASKS)),
        }),
        output: v.number(),
        handle: async ({ input: { number, course, task: taskCourse }, state }) => {
          const list = await state.read(listed);
          state.write(listed, [...list, number]);
          if (taskCourse !== null) state.enqueue(work, { number, course: taskCourse });
          if (course === 'slow') await sleep(40);
          if (course === 'throws' || (course === 'flaky' && countOf(number) <= 3)) throw new Error('broken');
          if (course === 'not read') throw new ProcedureError({ code: 'NOT_READ' });
          if (course === 'refused') state.write(refused, number);
          if (course === 'dies') die();
          if (course === 'dies' || course === 'hangs') await never();
          return number;
        },
      }),
      'task.cancel': mutation({
        callers: ['options'],
        input: v.number(),
        handle: async ({ input, state }) => {
          const open = (await state.list(work)).filter(({ data: { number } }) => number === input);
          for (const { id } of open) state.cancel(work, id);
          await state.update(cancelledTasks, (all) => [...all, ...open.map(() => input)]);
        },
      }),
    },
  });
}
