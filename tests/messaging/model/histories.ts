import fc from 'fast-check';

import type { DeathPoint } from '../../support/memory-world.ts';

/** The fault of one disk operation. `stuck` lasts longer than a turn may take. */
export type Fault = 'none' | 'failing' | 'hanging' | 'stuck';

/** Events with a key always have the number of that key. */
export const NUMBERS = { a: 1_000_001, b: 1_000_002, c: 1_000_003 };

export type Key = keyof typeof NUMBERS;

/** The course of a mutation. `flaky` fails three times. The ones after it never succeed. */
export const COURSES = ['fine', 'slow', 'flaky', 'throws', 'not read', 'hangs', 'refused', 'dies'] as const;

export type Course = (typeof COURSES)[number];

/**
 * The course of a task. `flaky` fails twice, `later` asks twice to run later, `paused` pauses its service twice, and those after
 * it never succeed.
 */
export const TASKS = ['fine', 'slow', 'flaky', 'later', 'paused', 'throws', 'hangs', 'broken done'] as const;

export type TaskCourse = (typeof TASKS)[number];

const page = fc.integer({ min: 0, max: 2 });
const task = fc.option(fc.constantFrom(...TASKS), { freq: 2 });
const repeated = (...faults: readonly Fault[]): fc.Arbitrary<Fault[]> =>
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom(...faults))
    .map(([length, fault]) => Array(length).fill(fault));

/** A step of one of these kinds. `weight` says how often it occurs. */
const stepOf = <const Kind extends string, Parts = object>(
  weight: number,
  kinds: readonly Kind[],
  parts: { [Name in keyof Parts]: fc.Arbitrary<Parts[Name]> } = {} as never,
) => ({
  weight,
  arbitrary: fc
    .tuple(fc.constantFrom(...kinds), fc.record<Parts>(parts))
    .map(([kind, rest]) => Object.assign({ do: kind }, rest)),
});

/** One step of a history. `page` is the number of a page. `faults` are those of the next disk operations. */
const step = fc.oneof(
  stepOf(12, ['mutate'], {
    page,
    timeout: fc.constantFrom(50, 10_000, 60_000),
    // A negative number means that the call is not aborted.
    abortAfter: fc.constantFrom(-1, -1, -1, 0, 3, 30),
    course: fc.constantFrom<Course[]>('fine', 'fine', 'fine', 'slow', 'hangs'),
    task,
  }),
  stepOf(4, ['query'], { page }),
  stepOf(1, ['cancel'], { page, nth: fc.integer({ min: 1, max: 100 }) }),
  stepOf(8, ['event'], {
    key: fc.constantFrom<(Key | undefined)[]>(undefined, undefined, 'a', 'b', 'c'),
    course: fc.oneof({ weight: 5, arbitrary: fc.constant<Course>('fine') }, fc.constantFrom(...COURSES)),
    task,
  }),
  stepOf(5, ['wait'], { ms: fc.constantFrom(1, 20, 200, 600, 3_000, 20_000) }),
  stepOf(8, ['turn'], { turns: fc.integer({ min: 1, max: 60 }) }),
  stepOf(1, ['jump'], { hours: fc.constantFrom(-30, -2, 2, 30) }),
  stepOf(4, ['kill']),
  stepOf(2, ['kill at'], {
    point: fc.constantFrom<DeathPoint[]>(
      'before-note',
      'after-note',
      'before-commit',
      'after-commit',
      'before-reply',
    ),
  }),
  stepOf(1, ['cache'], { page }),
  stepOf(1, ['close'], { page }),
  stepOf(1, ['quota'], { size: fc.constantFrom(300, 600, Infinity, Infinity) }),
  stepOf(4, ['disk'], {
    // Between faults, some operations succeed, so that the faults also meet the later operations of a call.
    faults: fc
      .array(fc.oneof(repeated('none'), repeated('failing', 'hanging', 'stuck')), {
        maxLength: 6,
      })
      .map((runs) => runs.flat()),
  }),
);

export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

export interface History {
  /** The clock may change. */
  readonly hasJumps: boolean;
  readonly steps: readonly Step[];
}

export const histories: fc.Arbitrary<History> = fc.record({
  hasJumps: fc.boolean(),
  steps: fc.array(step, { minLength: 200, maxLength: 400 }),
});
