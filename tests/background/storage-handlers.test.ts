import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import type { StorageState } from '../../src/contract/storage.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

describe.each(['preferences.watch', 'storage.watch'] as const)('a stream of %s', (name) => {
  it('reads nothing after its page has ended it', async () => {
    const alone = await countReads(0);

    expect(await countReads(20)).toBe(alone);
  });

  /** How often one change makes the background read the store, for one live stream after that many which are over. */
  async function countReads(past: number): Promise<number> {
    let reads = 0;
    const world = createExtensionWorld(undefined, {
      patchStore: (store) => ({
        ...store,
        read: (key) => {
          reads += 1;
          return store.read(key);
        },
      }),
    });
    const page = world.openPage('options');
    for (let count = 0; count < past; count += 1) {
      const abort = new AbortController();
      const stream = page.client.subscribe(name, undefined, abort)[Symbol.asyncIterator]();
      await stream.next();
      const waiting = stream.next();
      // The background has the page's wish for another value.
      await page.client.query('extension.info');
      abort.abort();
      await waiting;
    }
    const live = page.client.subscribe(name)[Symbol.asyncIterator]();
    await live.next();

    const before = reads;
    await page.client.mutate('preferences.update', { theme: 'dark' });
    await live.next();
    // What is left of the other streams would read no later than for this.
    await page.client.query('quarantine.export');
    return reads - before;
  }
});

describe('preferences that a newer version has written', () => {
  it('are reported, stay as they are, and reject every change', async () => {
    const world = createExtensionWorld();
    const stored = { version: 2, data: { theme: 'dark', size: 3 } };
    world.disk.write('preferences', stored);
    const { client } = world.openPage('options');

    const errors = [
      await rejectionOf(client.mutate('preferences.update', { theme: 'light' })),
      await rejectionOf(client.mutate('preferences.update', {})),
    ];

    expect(await first(client.subscribe('preferences.watch'))).toMatchObject({ theme: 'system' });
    expect(await first(client.subscribe('storage.watch'))).toEqual({
      isEmpty: false,
      readOnly: ['preferences'],
      unreadable: [],
    });
    expect(errors.map(({ declared }) => declared?.name)).toEqual(['readOnly', 'readOnly']);
    expect(world.disk.read('preferences')).toEqual(stored);
  });
});

describe('preferences that cannot be read', () => {
  const DAMAGED = { version: 1, data: { theme: 'sepia' } };

  it('are reported, can be exported as they were found, and leave room for new ones', async () => {
    const world = createExtensionWorld();
    world.disk.write('preferences', DAMAGED);
    const { client } = world.openPage('options');

    const updated = await client.mutate('preferences.update', { theme: 'light' });

    expect(updated).toMatchObject({ theme: 'light' });
    expect(await first(client.subscribe('storage.watch'))).toEqual({
      isEmpty: false,
      readOnly: [],
      unreadable: [{ document: 'preferences', at: expect.any(Number) }],
    });
    expect(await client.query('quarantine.export')).toEqual([
      { document: 'preferences', at: expect.any(Number), text: JSON.stringify(DAMAGED) },
    ]);
  });

  it('are reported without a call of the page, once the worker has quarantined them', async () => {
    const world = createExtensionWorld();
    world.disk.write('preferences', DAMAGED);
    const states: StorageState[] = [];

    for await (const state of world.openPage('popup').client.subscribe('storage.watch')) {
      states.push(state);
      if (state.unreadable.length > 0) break;
    }

    expect(states.at(-1)?.unreadable).toHaveLength(1);
  });

  it('can be removed once the person has seen them, and later ones stay', async () => {
    const world = createExtensionWorld();
    const kept = [
      { document: 'preferences', at: 1_000, text: '"seen"' },
      { document: 'preferences', at: 2_000, text: '"not seen"' },
    ];
    world.disk.write('quarantine', { version: 2, data: kept });
    const { client } = world.openPage('options');

    await client.mutate('quarantine.discard', { until: 1_000 });

    expect(await client.query('quarantine.export')).toEqual([kept[1]]);
  });

  it('stay under their key when they cannot be quarantined', async () => {
    const world = createExtensionWorld();
    world.disk.write('preferences', DAMAGED);
    world.disk.write('quarantine', { version: 3, data: [] });
    const { client } = world.openPage('options');

    const error = await rejectionOf(client.mutate('preferences.update', { theme: 'light' }));

    expect(error.declared?.name).toBe('readOnly');
    expect(world.disk.read('preferences')).toEqual(DAMAGED);
    expect(await first(client.subscribe('storage.watch'))).toMatchObject({ readOnly: ['quarantine'] });
  });
});

describe('preferences that cannot be read or quarantined', () => {
  const FOUND = 'x'.repeat(1_000);

  it('stay where they are, are reported at once, and are exported as they were found', async () => {
    const world = createFullWorld(FOUND);
    const { client } = world.openPage('options');

    const error = await rejectionOf(client.mutate('preferences.update', { theme: 'light' }));
    const state = await first(client.subscribe('storage.watch'));

    expect(error.code).toBe('NOT_STORED');
    expect(state).toMatchObject({ isEmpty: false, unreadable: [{ document: 'preferences', at: 0 }] });
    expect(await client.query('quarantine.export')).toEqual([
      { document: 'preferences', at: 0, text: JSON.stringify(FOUND) },
    ]);
    expect(world.disk.read('preferences')).toBe(FOUND);
  });

  it('are removed on request, although they were never quarantined', async () => {
    const world = createFullWorld(FOUND);
    const { client } = world.openPage('options');
    await rejectionOf(client.mutate('preferences.update', { theme: 'light' }));

    world.disk.failWrites(undefined);
    await client.mutate('quarantine.discard', { until: 0 });

    expect(world.disk.read('preferences')).toMatchObject({ data: { theme: 'system' } });
    expect(await first(client.subscribe('storage.watch'))).toMatchObject({ unreadable: [] });
  });

  /** A world whose disk takes nothing more. */
  function createFullWorld(found: string): ReturnType<typeof createExtensionWorld> {
    const world = createExtensionWorld();
    world.disk.write('preferences', found);
    world.disk.failWrites(new Error('QUOTA_BYTES quota exceeded'));
    return world;
  }
});

describe('the condition of the stored state', () => {
  it('is reported at first and when it changes, once each', async () => {
    const world = createExtensionWorld();
    const { client } = world.openPage('options');
    const states = client.subscribe('storage.watch');
    const atFirst = (await states.next()).value;

    const afterChange = states.next();
    await client.mutate('preferences.update', { theme: 'dark' });
    await client.mutate('preferences.update', { theme: 'light' });

    expect(atFirst).toEqual({ isEmpty: true, readOnly: [], unreadable: [] });
    expect((await afterChange).value).toEqual({ isEmpty: false, readOnly: [], unreadable: [] });
    const more = await Promise.race([states.next(), sleep(50)]);
    expect(more).toBeUndefined();
  });
});

describe('a store that cannot be read', () => {
  it('ends every call in an error that says so, changes nothing, and is read again later', async () => {
    const world = createExtensionWorld();
    world.disk.write('preferences', { version: 1, data: { theme: 'dark' } });
    world.disk.failReads(new Error('secret path'));
    const { client } = world.openPage('options');

    const errors = [
      await rejectionOf(client.subscribe('preferences.watch').next()),
      await rejectionOf(client.mutate('preferences.update', { theme: 'light' })),
      await rejectionOf(client.query('quarantine.export')),
    ];
    world.disk.failReads(undefined);

    expect(errors.map(({ code }) => code)).toEqual(['NOT_READ', 'NOT_READ', 'NOT_READ']);
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(await first(client.subscribe('preferences.watch'))).toMatchObject({ theme: 'dark' });
  });
});

async function first<T>(values: AsyncGenerator<T, void>): Promise<T | undefined> {
  for await (const value of values) return value;
  return undefined;
}
