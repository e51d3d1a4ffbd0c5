import * as v from 'valibot';
import { describe, expect, it } from 'vitest';

import { defineDocument } from '../../../src/messaging/define/documents.ts';
import { logOf } from '../../support/counter-world.ts';
import { createNotesWorld, total } from '../../support/notes-world.ts';
import { adopting } from '../../support/old-world.ts';
import { holding } from '../../support/store-faults.ts';

const active = defineDocument({ key: 'active', schema: v.number(), initial: 0, lifetime: 'session' });
const cycle: { self?: unknown } = {};
cycle.self = cycle;

/** Values that a damaged database, or a content script in Firefox, may put under a key of the core. */
const DAMAGED: readonly [what: string, value: unknown][] = [
  ['a text', 'text'],
  ['a number', -1],
  ['a list', [1]],
  ['members of other types', { adopted: 5, session: 5, current: {}, id: 'text', at: {} }],
  ['an object that cannot become text', { session: { toString: 1, valueOf: 1 }, toString: 1, valueOf: 1 }],
  ['lists of other types', { adopted: [null, 5], session: [], current: [null, {}] }],
  ['a BigInt', 1n],
  ['a cycle', cycle],
  ['a map', new Map([[1, 2]])],
];

describe.each<[key: string, replaced: unknown]>([
  ['journal', expect.any(Number)],
  [
    'prepared/definitions',
    { adopted: expect.arrayContaining(['adopted']), session: 'this session', current: ['active'] },
  ],
])('the mark %s', (key, replaced) => {
  it.each(DAMAGED)('is replaced if it is %s', async (_what, value) => {
    const { world, read, change } = createNotesWorld({
      documents: [active, total, adopting('adopted', ['old'])],
      session: async () => 'this session',
      patchStore: (disk) => {
        const damaged = holding(key, value)(disk);
        let isReplaced = false;
        return {
          ...disk,
          read: (keys) => (isReplaced ? disk : damaged).read(keys),
          write: async (entries) => {
            isReplaced ||= key in entries;
            await disk.write(entries);
          },
        };
      },
      stored: { active: { version: 1, data: 7 }, total: { version: 1, data: 1 }, old: 'data' },
    });

    const before = await read((state) => Promise.all([state.read(active), state.read(total)]));
    await change((state) => state.update(total, (count) => count + 1));
    await change((state) => state.update(total, (count) => count + 1));

    expect([before, world.disk.dataOf('total'), logOf(world)]).toEqual([[0, 1], 3, []]);
    expect(world.disk.read(key)).toEqual(replaced);
  });
});
