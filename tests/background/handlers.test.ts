import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import type { CallRecord } from '../../src/contract/messages.ts';
import type { contract } from '../../src/contract/contract.ts';
import type { Client } from '../../src/messaging/client/client.ts';
import type { Json } from '../../src/messaging/json.ts';
import { createExtensionWorld, worldInfo } from '../support/extension-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

it.each([
  ['extension.info', worldInfo],
  ['questions.count', { answered: 1, total: 9 }],
] as const)('%s answers both pages', async (name, expected) => {
  const world = createExtensionWorld();

  const answers = [
    await world.openPage('popup').client.query(name),
    await world.openPage('options').client.query(name),
  ];

  expect(answers).toEqual([expected, expected]);
});

describe('preferences', () => {
  it('travel from the options page to the disk, to every open page and to the toolbar', async () => {
    const themes: string[] = [];
    const world = createExtensionWorld({ setPopupTheme: (theme) => themes.push(theme) });
    const watched = world.openPage('popup').client.subscribe('preferences.watch');
    const atFirst = await watched.next();
    const themesAtFirst = [...themes];
    const next = watched.next();

    const answer = await openOptions(world).mutate('preferences.update', { theme: 'dark' });

    expect(atFirst.value).toMatchObject({ theme: 'system' });
    expect(answer).toMatchObject({ theme: 'dark' });
    expect(await next).toMatchObject({ done: false, value: { theme: 'dark' } });
    expect([themesAtFirst, themes]).toEqual([['system'], ['system', 'dark']]);
    expect(world.disk.read('preferences')).toEqual({
      version: 1,
      data: { theme: 'dark', recordMessages: false },
    });
  });

  it('keep the values that a change omits', async () => {
    const client = openOptions();
    await client.mutate('preferences.update', { theme: 'dark' });

    expect(await client.mutate('preferences.update', {})).toMatchObject({ theme: 'dark' });
  });

  it.each([
    ['an unknown theme', { theme: 'sepia' }, 'theme'],
    ['an unknown preference', { theme: 'dark', size: 3 }, 'size'],
    ['something else', 'dark', ''],
    ['a member of null', { theme: null }, 'theme'],
  ])('reject %s, say where it stands, and change nothing', async (_what, patch, path) => {
    const world = createExtensionWorld();

    const error = await rejectionOf(
      openOptions(world).mutate('preferences.update', patch as { theme: 'dark' }),
    );

    expect(error).toMatchObject({ code: 'INVALID_INPUT', delivery: 'handled' });
    expect(error.issues.map((issue) => issue.path)).toContain(path);
    expect(world.disk.keys()).toEqual([]);
  });
});

describe('messages', () => {
  it('are recorded from the call that wakes a background, with its attempts', async () => {
    const world = createWorldWith({ preferences: preferences('dark', true) });
    const client = openOptions(world);
    const followed = client.subscribe('preferences.watch');
    await followed.next();
    world.killWorker();
    world.killWorkerAt('before-reply');

    void followed.next();
    await client.query('questions.count');

    const record = (await readRecords(client)).find(({ name }) => name === 'questions.count');
    expect(record).toMatchObject({ caller: 'options', outcome: 'value' });
    expect(record?.attempts).toBeGreaterThan(1);
  });

  it('are not recorded while recording is off, and not shown later', async () => {
    const client = openOptions();
    const followed = client.subscribe('preferences.watch');
    await client.query('questions.count');
    await followed.next();
    const next = followed.next();
    await client.query('questions.count');

    await client.mutate('preferences.update', { recordMessages: true });
    await next;
    await client.query('extension.info');

    const names = (await readRecords(client)).map(({ name }) => name);
    expect(names).toContain('extension.info');
    expect(names).not.toContain('questions.count');
  });

  /** What is recorded, and what comes in the next moment. */
  async function readRecords(client: Client<typeof contract>): Promise<CallRecord[]> {
    const records: CallRecord[] = [];
    const signal = AbortSignal.timeout(50);
    for await (const batch of client.subscribe('messages.watch', undefined, { signal }))
      records.push(...batch.records);
    return records;
  }
});

describe.each(['preferences.watch', 'storage.watch'] as const)('a stream of %s', (name) => {
  it('reads nothing after its page has ended it', async () => {
    const alone = await countReads(0);

    expect(await countReads(20)).toBe(alone);
  });

  /** How often one change makes the background read the store, for one live stream after that many which are over. */
  async function countReads(past: number): Promise<number> {
    let reads = 0;
    const client = openOptions(
      createExtensionWorld({
        patchStore: (store) => ({
          ...store,
          read: (key) => {
            reads += 1;
            return store.read(key);
          },
        }),
      }),
    );
    for (let count = 0; count < past; count += 1) {
      const abort = new AbortController();
      const stream = client.subscribe(name, undefined, abort)[Symbol.asyncIterator]();
      await stream.next();
      const waiting = stream.next();
      // The background has the page's wish for another value.
      await client.query('extension.info');
      abort.abort();
      await waiting;
    }
    const live = client.subscribe(name)[Symbol.asyncIterator]();
    await live.next();

    const before = reads;
    await client.mutate('preferences.update', { theme: 'dark' });
    await live.next();
    // What is left of the other streams would read no later than for this.
    await client.query('quarantine.export');
    return reads - before;
  }
});

describe('stored data', () => {
  const DAMAGED = { version: 1, data: { theme: 'sepia' } };

  it('is reported at first and when its condition changes, once each', async () => {
    const client = openOptions();
    const states = client.subscribe('storage.watch');
    const atFirst = (await states.next()).value;

    const afterChange = states.next();
    await client.mutate('preferences.update', { theme: 'dark' });
    await client.mutate('preferences.update', { theme: 'light' });

    expect(atFirst).toEqual({ isEmpty: true, readOnly: [], unreadable: [] });
    expect((await afterChange).value).toEqual({ isEmpty: false, readOnly: [], unreadable: [] });
    expect(await Promise.race([states.next(), sleep(50)])).toBeUndefined();
  });

  it.each<[what: string, readOnly: string, stored: Readonly<Record<string, Json>>]>([
    [
      'that a newer version has written',
      'preferences',
      { preferences: { version: 2, data: { theme: 'dark', size: 3 } } },
    ],
    [
      'that cannot be read or, as a newer version has written the quarantine, set aside',
      'quarantine',
      { preferences: DAMAGED, quarantine: { version: 3, data: [] } },
    ],
  ])('%s is reported, stays as it is, and rejects every change', async (_what, readOnly, stored) => {
    const world = createWorldWith(stored);
    const client = openOptions(world);

    const errors = [
      await rejectionOf(client.mutate('preferences.update', { theme: 'light' })),
      await rejectionOf(client.mutate('preferences.update', {})),
    ];

    expect(errors.map(({ declared }) => declared?.name)).toEqual(['readOnly', 'readOnly']);
    expect(await first(client.subscribe('preferences.watch'))).toMatchObject({ theme: 'system' });
    expect(await first(client.subscribe('storage.watch'))).toMatchObject({ readOnly: [readOnly] });
    expect(world.disk.read('preferences')).toEqual(stored['preferences']);
  });

  it('that cannot be read is reported, can be exported as it was found, and leaves room for new data', async () => {
    const client = openOptions(createWorldWith({ preferences: DAMAGED }));

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

  it('that cannot be read is reported without a change', async () => {
    const { client } = createWorldWith({ preferences: DAMAGED }).openPage('popup');

    let setAsideAt = 0;
    for await (const { unreadable } of client.subscribe('storage.watch')) {
      setAsideAt = unreadable[0]?.at ?? 0;
      if (setAsideAt > 0) break;
    }

    expect(setAsideAt).toBeGreaterThan(0);
  });

  it('that is in quarantine can be removed up to what the person has seen', async () => {
    const seen = { document: 'preferences', at: 1_000, text: '"seen"' };
    const later = { document: 'preferences', at: 2_000, text: '"not seen"' };
    const client = openOptions(createWorldWith({ quarantine: { version: 2, data: [seen, later] } }));

    await client.mutate('quarantine.discard', { until: seen.at });

    expect(await client.query('quarantine.export')).toEqual([later]);
  });

  it('that cannot be read, without room for it in quarantine, stays and is reported until it is removed', async () => {
    const found = 'x'.repeat(1_000);
    const world = createWorldWith({ preferences: found });
    world.disk.failWrites(new Error('QUOTA_BYTES quota exceeded'));
    const client = openOptions(world);

    const error = await rejectionOf(client.mutate('preferences.update', { theme: 'light' }));
    const state = await first(client.subscribe('storage.watch'));
    const exported = await client.query('quarantine.export');
    const kept = world.disk.read('preferences');
    world.disk.failWrites(undefined);
    await client.mutate('quarantine.discard', { until: 0 });

    expect(error.code).toBe('NOT_STORED');
    expect(state).toMatchObject({ isEmpty: false, unreadable: [{ document: 'preferences', at: 0 }] });
    expect(exported).toEqual([{ document: 'preferences', at: 0, text: JSON.stringify(found) }]);
    expect(kept).toBe(found);
    expect(world.disk.read('preferences')).toMatchObject({ data: { theme: 'system' } });
    expect(await first(client.subscribe('storage.watch'))).toMatchObject({ unreadable: [] });
  });

  it('that the browser does not give out ends every call in an error, and is read again later', async () => {
    const world = createWorldWith({ preferences: preferences('dark', false) });
    world.disk.failReads(new Error('secret path'));
    const client = openOptions(world);

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

function createWorldWith(stored: Readonly<Record<string, Json>>): ReturnType<typeof createExtensionWorld> {
  const world = createExtensionWorld();
  for (const [key, value] of Object.entries(stored)) world.disk.write(key, value);
  return world;
}

function openOptions(world = createExtensionWorld()): Client<typeof contract> {
  return world.openPage('options').client;
}

function preferences(theme: string, recordMessages: boolean): Json {
  return { version: 1, data: { theme, recordMessages } };
}

async function first<T>(values: AsyncGenerator<T, void>): Promise<T | undefined> {
  for await (const value of values) return value;
  return undefined;
}
