import { expect, it } from 'vitest';

import { type DamageWriter, damageOf } from '../../../src/messaging/state/quarantine.ts';
import type { StateReader } from '../../../src/messaging/state/transaction.ts';
import { createNotesWorld, total } from '../../support/notes-world.ts';
import { rejectionOf } from '../../support/promises.ts';

it('is not part of the state that handlers get', async () => {
  const { read, change, watch } = createNotesWorld();
  const members = [
    ...(await read(async (state) => Object.keys(state))),
    ...(await change((state) => Object.keys(state))),
  ];
  const watched = watch((state) => {
    members.push(...Object.keys(state));
    return state.watch(total);
  });
  await watched.next();

  expect(members).toContain('read');
  expect(members.filter((name) => /inspect|discard|unreadable|condition/i.test(name))).toEqual([]);
});

it('cannot be discarded by a query', async () => {
  const { world, read, change, inspect } = createNotesWorld();
  world.disk.write('total', 'eaten');
  await change((state) => state.write(total, 1));
  const { unreadable } = await inspect();
  const ids = unreadable.map(({ id }) => id);

  const error = await rejectionOf(read((state) => (damageOf(state) as DamageWriter).discard(ids)));

  expect([ids.length, error.code]).toEqual([1, 'INTERNAL']);
  expect((await inspect()).unreadable).toEqual(unreadable);
});

it('is not known for an object that is not the state of a handler', () => {
  expect(() => damageOf({} as StateReader)).toThrow(TypeError);
});
