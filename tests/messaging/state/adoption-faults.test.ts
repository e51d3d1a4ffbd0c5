import { expect, it } from 'vitest';

import type { Json } from '../../../src/messaging/wire/json.ts';
import { quarantineIn } from '../../support/counter-world.ts';
import { adopting, createOldWorld } from '../../support/old-world.ts';
import { rejectionOf } from '../../support/promises.ts';

const broken = new Error('The earlier data is broken');
const fail = (): never => {
  throw broken;
};

const notAdopted = (key: string): string => `The earlier data of "${key}" was not adopted. It is unchanged.`;

it.each<[why: string, read: () => Json, cause: unknown]>([
  ['throws', fail, broken],
  ['returns data that does not fit', () => 5, new TypeError('The data of "part" does not fit its schema.')],
])(
  'if one of two adoptions of a value %s, neither is made, and the log and the unreadable data name it',
  async (_why, take, cause) => {
    const whole = adopting('whole', ['first', 'part']);
    const part = adopting('part', ['part'], take);
    const other = adopting('other', ['old']);
    const stored = { first: 1, part: 2, old: 3 };
    const { read, inspect, keys, failures, written } = createOldWorld(stored, [whole, part, other]);

    const seen = await read((state) => Promise.all([state.read(whole), state.read(part), state.read(other)]));

    expect(seen).toEqual(['initial', 'initial', 'old']);
    await written();
    expect(keys()).toEqual(['first', 'other', 'part']);
    expect(await inspect()).toMatchObject({ unreadable: [{ key: 'part', at: 0 }] });
    expect(failures()).toEqual([
      [notAdopted('whole'), undefined],
      [notAdopted('part'), cause],
    ]);
  },
);

it('a value that could not be adopted is kept in the quarantine when it is replaced', async () => {
  const part = adopting('part', ['part'], fail);
  const { world, read, change } = createOldWorld({ part: 'eaten' }, [part]);

  await change((state) => state.write(part, 'new'));

  expect(quarantineIn(world)).toEqual(['"eaten"']);
  expect(await read((state) => state.read(part))).toBe('new');
});

it('an adoption that fails is logged once, although a full disk makes each read try it again', async () => {
  const documents = [adopting('good', ['old']), adopting('bad', ['older'], fail)] as const;
  const { world, read, failures } = createOldWorld({ old: 1, older: 2 }, documents);
  world.disk.failWrites(new Error('The disk is full'));

  const seen = [await read((state) => state.read(documents[0]))];
  seen.push(await read((state) => state.read(documents[0])));

  expect([seen, failures()]).toEqual([['old', 'old'], [[notAdopted('bad'), broken]]]);
});

it('a store that cannot be read does not count as an adoption that failed', async () => {
  const [good, late] = [adopting('good', ['old']), adopting('late', ['older'])];
  let isBroken = true;
  const { read, failures } = createOldWorld({ old: 1, older: 2 }, [good, late], (disk) => ({
    read: async (keys) => {
      if (isBroken && keys.includes('late')) throw new Error('The disk is busy');
      return disk.read(keys);
    },
  }));

  const error = await rejectionOf(read((state) => state.read(good)));
  isBroken = false;

  expect([error.code, failures()]).toEqual(['NOT_READ', []]);
  expect(await read((state) => Promise.all([state.read(good), state.read(late)]))).toEqual(['old', 'older']);
});

it('a value that a delayed adoption still needs is kept, although a third definition has adopted it', async () => {
  let isBroken = true;
  const first = adopting('first', ['x'], () => (isBroken ? fail() : 'x'));
  const second = adopting('second', ['x', 'y']);
  const { world, read, written } = createOldWorld({ x: 1, y: 2 }, [first, second, adopting('third', ['y'])]);
  await read((state) => state.read(second));
  await written();

  isBroken = false;
  world.killWorker();

  expect(await read((state) => state.read(second))).toBe('x,y');
});
