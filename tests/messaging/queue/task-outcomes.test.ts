import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { defineFeature } from '../../../src/messaging/feature.ts';
import { proceduresFor } from '../../../src/messaging/procedures.ts';
import type { Observe } from '../../../src/messaging/server/call.ts';
import { defineCollection } from '../../../src/messaging/state/documents.ts';
import type { Store } from '../../../src/messaging/state/store.ts';
import { defineTask, runLater } from '../../../src/messaging/state/tasks.ts';
import type { StateWriter } from '../../../src/messaging/state/transaction.ts';
import { logOf, outcomeOf, quarantineIn } from '../../support/counter-world.ts';
import { testCallers } from '../../support/counter.ts';
import { createMemoryWorld } from '../../support/memory-world.ts';

const SECOND = 1_000;

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0) }));
afterEach(() => void vi.useRealTimers());

const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const never = (): Promise<never> => new Promise(() => {});
const [broken, worse] = [new Error('broken'), new Error('worse')];
const fail = (): Promise<never> => Promise.reject(broken);

const results = defineCollection({ key: 'results', schema: v.string() });
const { mutation } = proceduresFor(testCallers);

type Settle = (context: { data: string; result?: unknown; error?: unknown; state: StateWriter }) => unknown;

interface Job {
  readonly run?: (context: { readonly signal: AbortSignal }) => Promise<unknown>;
  readonly done?: Settle;
  readonly failed?: Settle;
  readonly attempts?: number;
  readonly age?: number;
  /** Validates the data. */
  readonly check?: () => boolean | Promise<boolean>;
}

interface Options {
  readonly version?: () => string;
  readonly patchStore?: (store: Store) => Store;
}

/** Creates a world with one task, whose data is the id under which its result or its error is stored. */
function createJobWorld(
  { run = async () => 'result', check = () => true, ...parts }: Job = {},
  options: Options = {},
) {
  const observed: unknown[] = [];
  const observe: Observe = (call) => {
    if (call.kind === 'mutation') return undefined;
    return (outcome, incident) => observed.push([call, outcome, typeof incident]);
  };
  const runs = vi.fn<typeof run>(run);
  const settle: Settle = ({ data, result, error, state }) =>
    state.set(results, data, JSON.stringify(result) ?? String(error));
  const job = defineTask({
    name: 'job',
    data: v.pipeAsync(
      v.string(),
      v.checkAsync(() => Promise.resolve(check())),
    ),
    run: (context) => runs(context) as Promise<string>,
    done: settle,
    failed: settle,
    ...parts,
  });
  let work = (_state: StateWriter): unknown => undefined;
  const procedures = {
    'state.change': mutation({
      callers: ['options'],
      handle: async ({ state }) => void (await work(state)),
    }),
  };
  const feature = defineFeature({ documents: [results], tasks: [job], observe, procedures });
  const world = createMemoryWorld({ callers: testCallers, features: [feature], ...options });
  const { client } = world.openPage('options');
  const change = (handle: typeof work): Promise<unknown> => {
    work = handle;
    return outcomeOf(client.mutate('state.change'));
  };
  const start = async (): Promise<void> => {
    world.fire(() => {});
    await advance(SECOND);
  };
  return {
    world,
    job,
    runs,
    observed,
    change,
    add: (id = 'a') => change((state) => state.enqueue(job, id)),
    resultOf: (id = 'a') => world.disk.dataOf(`results/${id}`),
    /** Keys of what a start finds. */
    left: () => world.disk.keys().filter((key) => key.startsWith('queue/task')),
    restart: async () => {
      world.killWorker();
      await start();
    },
    /** Starts a background that has no reason to list tasks: none are left, and the journal has just been pruned. */
    startQuietly: async () => {
      world.disk.write('journal', Date.now());
      await start();
    },
  };
}

/** The text of a task that another background has enqueued. */
const recordOf = (parts: object): string =>
  JSON.stringify({
    task: 'job',
    data: 'a',
    at: 1,
    version: '1',
    tries: 0,
    due: 0,
    wait: 0,
    owner: 'x',
    ...parts,
  });

/** Rejects writes that contain this key. */
const refusing =
  (key: string) =>
  (store: Store): Store => ({
    ...store,
    write: async (entries) => {
      if (key in entries) throw new Error('QUOTA_BYTES');
      await store.write(entries);
    },
  });

describe('an observer', () => {
  const observedOf = (attempts: number, ...end: readonly string[]): unknown => [
    { caller: { name: 'background' }, kind: 'task', name: 'job', attempts },
    ...end,
  ];

  it('sees each attempt at a task', async () => {
    let failures = 2;
    const { add, observed } = createJobWorld({
      run: () => ((failures -= 1) >= 0 ? fail() : Promise.resolve('result')),
    });

    await add();
    await advance(10 * SECOND);

    expect(observed).toEqual([
      observedOf(1, 'INTERNAL', 'string'),
      observedOf(2, 'INTERNAL', 'string'),
      observedOf(3, 'value', 'undefined'),
    ]);
  });

  it('sees that an attempt was aborted because its task was cancelled', async () => {
    let reason: unknown;
    const { add, change, job, observed, world } = createJobWorld({
      run: ({ signal }) => {
        signal.addEventListener('abort', () => (reason = signal.reason));
        return never();
      },
    });
    await add();
    await advance(10);

    await change(async (state) => {
      for (const { id } of await state.list(job)) state.cancel(job, id);
    });
    await advance(10);

    expect(observed).toEqual([observedOf(1, 'ABORTED', 'undefined')]);
    expect([String(reason), logOf(world)]).toEqual([expect.stringMatching(/cancelled/u), []]);
  });
});

describe('a task', () => {
  it('without a result gives `done` the result `null`', async () => {
    const { add, resultOf } = createJobWorld({ run: async () => {} });

    await add();
    await advance(SECOND);

    expect(resultOf()).toBe('null');
  });

  it('is given up only when it is older than its age', async () => {
    const { add, runs } = createJobWorld({
      run: () => Promise.reject(runLater(40 * SECOND)),
      age: 80 * SECOND,
    });

    await add();
    await advance(500 * SECOND);

    expect(runs).toHaveBeenCalledTimes(4);
  });

  it.each<[what: string, failed: Settle, more: readonly Error[]]>([
    ['its error, and the end with that cause', () => {}, []],
    ['its error, the end with that cause, and the error of `failed`', () => Promise.reject(worse), [worse]],
  ])('that is given up logs %s', async (_what, failed, more) => {
    const { add, world } = createJobWorld({ run: fail, attempts: 1, failed });

    await add();
    await advance(SECOND);

    const errors = [...world.logged.values()] as Error[];
    expect(errors.map(({ cause }) => cause)).toEqual([broken, broken, ...more]);
    expect(errors.map(({ message }) => message).join()).toMatch(
      /^The task "job" has failed\.,The task "job" was given up/u,
    );
  });

  it('whose `done` makes a change that the disk refuses is tried again, and then given up', async () => {
    const { add, runs, resultOf, observed, left } = createJobWorld(
      {
        attempts: 2,
        failed: ({ error, state }) => state.set(results, 'b', String(error)),
      },
      { patchStore: refusing('results/a') },
    );

    await add();
    await advance(20 * SECOND);

    expect([runs.mock.calls.length, observed.length, resultOf('b'), left()]).toEqual([
      1,
      2,
      'ProcedureError: NOT_STORED',
      [],
    ]);
  });

  it('whose `failed` makes a change that the disk refuses moves to the quarantine', async () => {
    const { add, left, world } = createJobWorld(
      { run: fail, attempts: 1 },
      { patchStore: refusing('results/a') },
    );

    await add();
    await advance(20 * SECOND);

    expect(quarantineIn(world).map((text) => JSON.parse(text))).toMatchObject([{ task: 'job', data: 'a' }]);
    expect([left(), logOf(world)]).toEqual([[], expect.arrayContaining(['ProcedureError: NOT_STORED'])]);
  });

  it('is settled after growing pauses if the store fails as a whole, and no attempt is counted', async () => {
    let resolve = (_: string): void => {};
    const { add, observed, resultOf, startQuietly, world } = createJobWorld({
      run: () => new Promise((settle) => (resolve = settle)),
    });
    await startQuietly();
    await add();
    await advance(10);
    world.disk.failReads(new Error('The disk is gone'));
    resolve('result');
    await advance(100 * SECOND);
    const lines = logOf(world);

    world.disk.failReads(undefined);
    await advance(60 * SECOND);

    expect([new Set(lines), resultOf(), observed.length]).toEqual([
      new Set(['ProcedureError: NOT_READ']),
      '"result"',
      1,
    ]);
    expect(observed).toMatchObject([[{ attempts: 1 }, 'value', 'undefined']]);
    expect(lines.length).toBeLessThan(10);
  });

  it('runs if it is unknown at first whether its change was written', async () => {
    let doubts = 1;
    const { add, resultOf, startQuietly, world, left } = createJobWorld(
      {},
      {
        patchStore: (store) => ({
          ...store,
          write: async (entries) => {
            await store.write(entries);
            if (doubts === 0 || !('queue/tasks' in entries)) return;
            doubts = 0;
            world.disk.failReads(new Error('The disk is gone'));
            throw new Error('The disk is gone');
          },
        }),
      },
    );

    await startQuietly();
    const outcome = add();
    await advance(500);
    world.disk.failReads(undefined);
    await advance(5 * SECOND);

    expect([await outcome, resultOf(), left()]).toEqual(['IN_DOUBT unknown', '"result"', []]);
  });

  it('cannot be changed by a `done` that has run out of time', async () => {
    let late: unknown;
    const { add } = createJobWorld({
      done: async ({ state }) => {
        await new Promise((resolve) => setTimeout(resolve, 6 * SECOND));
        late = await Promise.resolve()
          .then(() => state.set(results, 'late', 'late'))
          .catch((error: unknown) => error);
      },
    });

    await add();
    await advance(7 * SECOND);

    expect(late).toBeInstanceOf(Error);
  });

  it('that `done` has enqueued is found by the next start', async () => {
    let resolve = (_: string): void => {};
    const { add, job, resultOf, left, restart, world } = createJobWorld({
      run: () => new Promise((settle) => (resolve = settle)),
      done: ({ data, result, state }) => {
        state.set(results, data, String(result));
        if (data === 'a') state.enqueue(job, 'b');
      },
    });
    await add();
    await advance(10);
    world.killWorkerAt('after-commit');
    resolve('first');
    await advance(10);

    await restart();
    resolve('second');
    await advance(10);

    expect([resultOf('a'), resultOf('b'), left()]).toEqual(['first', 'second', []]);
  });

  it('leaves nothing for the next start to look for', async () => {
    const { add, resultOf, left, startQuietly } = createJobWorld();
    await startQuietly();

    await add();
    await advance(SECOND);

    expect([resultOf(), left()]).toEqual(['"result"', []]);
  });
});

describe('a task of another background', () => {
  it('that is gone when it is due does not run', async () => {
    const { runs, restart, world } = createJobWorld();
    world.disk.write('queue/tasks', '1');
    world.disk.write('queue/task/1', recordOf({ due: Date.now() + 9 * SECOND, wait: 10 * SECOND }));
    await restart();

    world.disk.write('queue/task/1', null);
    await advance(10 * SECOND);

    expect([runs.mock.calls, logOf(world)]).toEqual([[], []]);
  });

  it('runs as soon as the store can be read', async () => {
    const { runs, restart, world } = createJobWorld();
    world.disk.write('queue/tasks', '1');
    world.disk.write('queue/task/1', recordOf({}));
    world.disk.failReads(new Error('The disk is gone'));
    await restart();

    world.disk.failReads(undefined);
    await advance(10 * SECOND);

    expect(runs).toHaveBeenCalledTimes(1);
  });

  it('that is gone when the list is read leaves nothing in the quarantine', async () => {
    const { restart, world } = createJobWorld(
      {},
      { patchStore: (store) => ({ ...store, list: async () => ['queue/task/1'] }) },
    );
    world.disk.write('queue/tasks', '1');

    await restart();

    expect([quarantineIn(world), logOf(world)]).toEqual([[], []]);
  });

  it.each<[what: string, text: string, version: string, names: readonly string[]]>([
    ['that cannot be read moves to the quarantine', '{"task":', '1', ['queue']],
    ['with an unknown name moves to the quarantine', recordOf({ task: 'gone' }), '1', ['gone']],
    ['of an older version moves to the quarantine', recordOf({ data: 7 }), '1.1', ['job']],
    ['of this version moves to the quarantine if its data does not fit', recordOf({ data: 7 }), '1', ['job']],
    ['of a newer version stays', recordOf({ version: '1.2', data: 7 }), '1.1', []],
    ['of a newer version with an unknown name stays', recordOf({ version: '2', task: 'gone' }), '1', []],
  ])('%s', async (_what, text, version, names) => {
    const { runs, left, restart, world } = createJobWorld({}, { version: () => version });
    world.disk.write('queue/tasks', '1');
    world.disk.write('queue/task/1', text);

    await restart();

    const kept = world.disk.keys().filter((key) => key.startsWith('quarantine/'));
    expect(kept.map((key) => key.split('.').at(-1))).toEqual(names);
    expect([left().includes('queue/task/1'), runs.mock.calls]).toEqual([names.length === 0, []]);
    expect(logOf(world).map((line) => /quarantine/u.test(line))).toEqual(names.map(() => true));
  });

  it('moves to the quarantine if the schema throws', async () => {
    const { restart, world } = createJobWorld({
      check: () => {
        throw broken;
      },
    });
    world.disk.write('queue/tasks', '1');
    world.disk.write('queue/task/1', recordOf({}));

    await restart();

    expect(quarantineIn(world)).toHaveLength(1);
  });

  it('leaves nothing behind if it is newer and is cancelled while its data is validated', async () => {
    let validated = (_isValid: boolean): void => {};
    let isHeld = true;
    const { add, change, job, left, restart, resultOf, world } = createJobWorld({
      check: () => (isHeld ? new Promise<boolean>((resolve) => (validated = resolve)) : true),
    });
    world.disk.write('queue/tasks', '1');
    world.disk.write('queue/task/1', recordOf({ version: '2' }));
    await restart();

    await change((state) => state.cancel(job, '1'));
    validated(false);
    isHeld = false;
    await advance(10);
    await add();
    await advance(10);

    expect([resultOf(), left()]).toEqual(['"result"', []]);
  });
});
