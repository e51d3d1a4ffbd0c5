import { describe, expect, it } from 'vitest';

import { migrateDocuments, openDocument } from '../../src/background/document.ts';
import type { Document } from '../../src/background/document.ts';
import type { Json } from '../../src/messaging/json.ts';
import { counterContract, counterHandlers } from '../support/counter.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import type { MemoryWorld } from '../support/memory-world.ts';
import { specimen, specimenOfOldCode } from '../support/versioned-extension/specimen.ts';

const OLD = { version: 1, data: { text: 'a\nb' } };
const MIGRATED = { version: 3, data: { lines: ['a', 'b'], color: 'red' } };
const INITIAL = { version: 3, data: specimen.initial };
const DAMAGED = { version: 3, data: { lines: 'eaten' } };

describe('when a worker starts', () => {
  it('an older document is migrated on the disk', async () => {
    const world = createWorld();
    world.disk.write('specimen', OLD);

    await wake(world);

    expect(world.disk.read('specimen')).toEqual(MIGRATED);
  });

  it.each(['before-lock', 'in-lock', 'before-commit', 'after-commit'] as const)(
    'a migration happens once, also when the worker dies %s',
    async (point) => {
      const world = createWorld();
      world.disk.write('specimen', OLD);
      world.killWorkerAt(point);

      await wake(world);
      world.killWorker();
      await wake(world);

      expect(world.disk.read('specimen')).toEqual(MIGRATED);
      expect(world.starts()).toBeGreaterThan(2);
    },
  );

  it.each(['before-commit', 'after-commit'] as const)(
    'what cannot be read is set aside once, also when the worker dies %s',
    async (point) => {
      const world = createWorld();
      world.disk.write('specimen', DAMAGED);
      world.killWorkerAt(point);

      await wake(world);
      world.killWorker();
      await wake(world);

      expect(world.disk.read('specimen')).toEqual(INITIAL);
      expect(world.disk.read('quarantine')).toEqual({
        version: 2,
        data: [{ document: 'specimen', at: expect.any(Number), text: JSON.stringify(DAMAGED) }],
      });
    },
  );

  it('a document of a newer version stays unchanged', async () => {
    const world = createWorld();
    const stored = { version: 4, data: { lines: [], color: 'green' } };
    world.disk.write('specimen', stored);

    await wake(world);

    expect(world.disk.read('specimen')).toEqual(stored);
  });

  it('documents in order are not written', async () => {
    const world = createWorld();
    world.disk.write('specimen', MIGRATED);
    world.disk.write('stranger', 'kept');
    world.disk.failWrites(new Error('nothing may be written'));

    await wake(world);

    expect(world.disk.keys()).toEqual(['specimen', 'stranger']);
    expect(world.logged.size, 'the mutation that waits, and nothing else').toBe(1);
  });

  it('one damaged document does not affect the others', async () => {
    const other = { ...specimen, key: 'other' };
    const world = createWorld([specimen, other]);
    world.disk.write('specimen', DAMAGED);
    world.disk.write('other', MIGRATED);

    await wake(world);

    expect(world.disk.read('other')).toEqual(MIGRATED);
  });

  it('existing quarantine entries stay, readable or not', async () => {
    const world = createWorld();
    world.disk.write('specimen', DAMAGED);
    world.disk.write('quarantine', 'no list');

    await wake(world);

    expect(world.disk.read('quarantine')).toEqual({
      version: 2,
      data: [
        { document: 'quarantine', at: 0, text: '"no list"' },
        { document: 'specimen', at: expect.any(Number), text: JSON.stringify(DAMAGED) },
      ],
    });
  });

  it('data that cannot be stored again goes to quarantine, escaped', async () => {
    const world = createWorld();
    world.disk.write('specimen', { version: 3, data: { lines: ['half a character: \uD83D'], color: -0 } });

    await wake(world);

    expect(world.disk.read('specimen')).toEqual(INITIAL);
    expect(world.disk.read('quarantine')).toEqual({
      version: 2,
      data: [
        {
          document: 'specimen',
          at: expect.any(Number),
          text: '{"version":3,"data":{"lines":["half a character: \\ud83d"],"color":0}}',
        },
      ],
    });
  });

  it.each([96, 97, 98, 100, 300])('data nested %i deep goes to quarantine unchanged', async (depth) => {
    const text = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const world = createWorld();
    world.disk.write('specimen', JSON.parse(text) as Json);

    await wake(world);

    expect(world.disk.read('specimen')).toEqual(INITIAL);
    expect(world.disk.read('quarantine')).toMatchObject({ data: [{ document: 'specimen', text }] });
  });

  it('data that fits its schema but cannot be written again goes to quarantine', async () => {
    const found = { version: 3, data: { lines: ['half a character: \uD83D'], color: 'red' } };
    const world = createWorld();
    world.disk.write('specimen', found);

    await wake(world);

    expect(world.disk.read('specimen')).toEqual(INITIAL);
    expect(world.disk.read('quarantine')).toMatchObject({ data: [{ text: JSON.stringify(found) }] });
  });

  it('quarantine entries of an older version are kept', async () => {
    const world = createWorld();
    world.disk.write('specimen', DAMAGED);
    world.disk.write('quarantine', { version: 1, data: [{ document: 'specimen', at: 5, value: ['old'] }] });

    await wake(world);

    expect(world.disk.read('quarantine')).toMatchObject({
      data: [{ document: 'specimen', at: 5, text: '["old"]' }, { document: 'specimen' }],
    });
  });

  it('unreadable data stays in place when a newer version wrote the quarantine', async () => {
    const world = createWorld();
    world.disk.write('specimen', DAMAGED);
    world.disk.write('quarantine', { version: 3, data: {} });

    await wake(world);

    expect(world.disk.read('specimen')).toEqual(DAMAGED);
    expect(world.disk.read('quarantine')).toEqual({ version: 3, data: {} });
  });

  it('a full disk changes nothing, and the worker still serves', async () => {
    const world = createWorld();
    world.disk.write('specimen', OLD);
    world.disk.failWrites(new Error('disk full'));

    await wake(world);

    expect(world.disk.read('specimen')).toEqual(OLD);
    expect(world.logged.size, 'the mutation that waits, and what came before it').toBe(2);
  });
});

describe('from version to version of the code', () => {
  it('an update and a downgrade lose nothing', async () => {
    const world = createWorld([specimenOfOldCode]);
    world.disk.write('specimen', OLD);
    await wake(world);
    const atFirst = world.disk.read('specimen');

    const updated = createWorld([specimen], world.disk);
    await wake(updated);
    const afterUpdate = updated.disk.read('specimen');
    const downgraded = createWorld([specimenOfOldCode], updated.disk);
    await wake(downgraded);

    expect(atFirst).toEqual({ version: 2, data: { lines: ['a', 'b'] } });
    expect(afterUpdate).toEqual(MIGRATED);
    expect(downgraded.disk.read('specimen')).toEqual(MIGRATED);
  });
});

type World = MemoryWorld<typeof counterContract>;

function createWorld(documents: readonly Document<unknown>[] = [specimen], disk?: World['disk']): World {
  const world = createMemoryWorld({
    contract: counterContract,
    handlers: {
      ...counterHandlers,
      // Waits, as every mutation does, until the documents are in order.
      'counter.add': async ({ state }) => {
        await openDocument(state, { ...specimen, key: 'unrelated' });
        return 1;
      },
    },
    prepare: (state) => migrateDocuments(documents, state),
  });
  for (const key of disk?.keys() ?? []) world.disk.write(key, disk?.read(key) ?? null);
  return world;
}

/** Makes a worker start, and waits until it has come to the first mutation. */
async function wake(world: World): Promise<void> {
  const { client, close } = world.openPage('options');
  await client.mutate('counter.add', 1).catch(() => undefined);
  close();
}
