import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import type { CallError } from '../../src/messaging/wire/errors.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { defineDocument } from '../../src/messaging/define/documents.ts';
import type { Store } from '../../src/messaging/state/store.ts';
import { testCallers } from '../support/counter.ts';
import { createFeatureWorld } from '../support/feature-world.ts';
import { never, rejectionOf, sleep } from '../support/promises.ts';
import { advance, SECOND, withFakeTimers } from '../support/time.ts';

withFakeTimers();

/** Creates a world in which the part with this name never ends, or takes longer than a turn may. */
function createHangingWorld(part: string) {
  let hanging = part;
  const numberOf = (name: string) =>
    v.pipeAsync(
      v.number(),
      v.checkAsync(() => (hanging === name ? never() : true)),
    );
  const sum = defineDocument({ key: 'sum', schema: numberOf('the schema of a document'), initial: 0 });
  let late: unknown;
  const procedure = proceduresFor(testCallers).mutation({
    callers: ['options'],
    input: v.number(),
    output: numberOf('the schema of the output'),
    handle: async ({ input, state }) => {
      if (hanging === 'the handler') {
        await sleep(6 * SECOND);
        late = await Promise.resolve()
          .then(() => state.write(sum, 99))
          .catch(String);
      }
      return state.update(sum, (old) => old + input);
    },
  });
  const patchStore = (store: Store): Store => ({
    ...store,
    read: (keys) => (hanging === 'a read' && keys.includes('sum') ? never() : store.read(keys)),
    list: (prefix) =>
      hanging === 'the list of the journal' && prefix === 'journal/' ? never() : store.list(prefix),
    write: async (entries) => {
      if (hanging === 'the write') await sleep(8 * SECOND);
      await store.write(entries);
    },
  });
  const world = createFeatureWorld({ 'sum.add': procedure }, [sum], { patchStore });
  return {
    world,
    /** Makes a mutation of another page. */
    add: (input: number, timeout = 10 * SECOND) =>
      world.openPage('options').client.mutate('sum.add', input, { timeout }),
    sum: () => world.disk.dataOf('sum'),
    late: () => late,
    recover: () => (hanging = ''),
  };
}

describe('a mutation that holds its turn for five seconds', () => {
  it.each(['the handler', 'the schema of the output', 'the schema of a document'])(
    'because of %s ends in TIMEOUT, and its late changes are refused',
    async (part) => {
      const { add, sum, late, recover } = createHangingWorld(part);

      const ended = rejectionOf(add(1, 600 * SECOND));
      await advance(4.9 * SECOND);
      recover();
      const next = add(10);
      await advance(5 * SECOND);

      expect(await ended).toMatchObject({ code: 'TIMEOUT', delivery: 'handled' });
      expect([await next, sum()]).toEqual([10, 10]);
      const refusal = expect.stringContaining('only until it ends or runs out of time');
      expect(late()).toEqual(part === 'the handler' ? refusal : undefined);
    },
  );

  it('because of a read ends in TIMEOUT, and a later one reads again', async () => {
    const { add, sum, recover } = createHangingWorld('a read');

    const ended = rejectionOf(add(1, 600 * SECOND));
    // The store counts as silent after ten seconds.
    await advance(11 * SECOND);
    recover();
    const next = add(10);
    await advance(SECOND);

    expect(await ended).toMatchObject({ code: 'TIMEOUT', delivery: 'handled' });
    expect([await next, sum()]).toEqual([10, 10]);
  });

  it.each<[work: string, isFull: boolean]>([
    ['the journal is pruned', false],
    ['room is made on a full disk', true],
  ])('while %s does not hold back later ones for ever', async (_work, isFull) => {
    const { world, add, sum } = createHangingWorld('the list of the journal');
    world.disk.failWrites(isFull ? new Error('The disk is full') : undefined);
    const end = add(1, 600 * SECOND).catch((error: unknown) => (error as CallError).code);
    await advance(11 * SECOND);
    world.disk.failWrites(undefined);

    const next = add(10);
    await advance(10 * SECOND);

    expect([await end, await next, sum()]).toEqual(isFull ? ['NOT_STORED', 10, 10] : [1, 11, 11]);
  });

  it('because of its write keeps its turn, and is answered', async () => {
    const { add, sum, recover } = createHangingWorld('the write');

    const answers = [add(1, 600 * SECOND), add(10)];
    await advance(7 * SECOND);
    recover();
    const before = sum();
    await advance(2 * SECOND);

    expect([before, await Promise.all(answers)]).toEqual([undefined, [1, 11]]);
  });
});
