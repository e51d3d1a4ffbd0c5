import { describe, expect, it, vi } from 'vitest';

import type { contract } from '../../src/contract/contract.ts';
import type { CallRecord } from '../../src/contract/messages.ts';
import type { Client } from '../../src/messaging/client/client.ts';
import { createExtensionWorld, worldInfo } from '../support/extension-world.ts';
import { rejectionOf } from '../support/rejection-of.ts';

describe('extension.info', () => {
  it('describes the running extension to both pages', async () => {
    const world = createExtensionWorld();

    const answers = [
      await world.openPage('popup').client.query('extension.info'),
      await world.openPage('options').client.query('extension.info'),
    ];

    expect(answers).toEqual([worldInfo, worldInfo]);
  });
});

describe('questions.count', () => {
  it('answers both pages with the number of answered questions of the running build', async () => {
    const world = createExtensionWorld();

    const answers = [
      await world.openPage('popup').client.query('questions.count'),
      await world.openPage('options').client.query('questions.count'),
    ];

    expect(answers).toEqual([
      { answered: 1, total: 9 },
      { answered: 1, total: 9 },
    ]);
  });
});

describe('preferences', () => {
  it('start from the defaults', async () => {
    const { client } = createExtensionWorld().openPage('popup');

    const first = await client.subscribe('preferences.watch').next();

    expect(first.value).toMatchObject({ theme: 'system' });
  });

  it('travel from the options page to the disk and to every open page', async () => {
    const world = createExtensionWorld();
    const watched = world.openPage('popup').client.subscribe('preferences.watch');
    await watched.next();
    const next = watched.next();

    const answer = await world.openPage('options').client.mutate('preferences.update', { theme: 'dark' });

    expect(answer).toMatchObject({ theme: 'dark' });
    expect(await next).toMatchObject({ done: false, value: { theme: 'dark' } });
    expect(world.disk.read('preferences')).toEqual({
      version: 1,
      data: { theme: 'dark', recordMessages: false },
    });
  });

  it('have the toolbar open the popup of their theme, from the first page on and after every change', async () => {
    const chosen: string[] = [];
    const world = createExtensionWorld((theme) => chosen.push(theme));
    const watched = world.openPage('popup').client.subscribe('preferences.watch');
    await watched.next();
    expect(chosen).toEqual(['system']);
    const next = watched.next();

    await world.openPage('options').client.mutate('preferences.update', { theme: 'dark' });

    await next;
    expect(chosen).toEqual(['system', 'dark']);
  });

  it('outlast the worker', async () => {
    const world = createExtensionWorld();
    await world.openPage('options').client.mutate('preferences.update', { theme: 'light' });

    world.killWorker();
    const first = await world.openPage('popup').client.subscribe('preferences.watch').next();

    expect(first.value).toMatchObject({ theme: 'light' });
  });

  it('keep the values that a change omits', async () => {
    const world = createExtensionWorld();
    const { client } = world.openPage('options');
    await client.mutate('preferences.update', { theme: 'dark' });

    expect(await client.mutate('preferences.update', {})).toMatchObject({ theme: 'dark' });
  });

  it.each([
    ['an unknown theme', { theme: 'sepia' }, 'theme'],
    ['an unknown preference', { theme: 'dark', size: 3 }, 'size'],
    ['something else', 'dark', ''],
    ['a member of null', { theme: null }, 'theme'],
  ])('refuse %s, say where it stands, and change nothing', async (_what, patch, path) => {
    const world = createExtensionWorld();
    const { client } = world.openPage('options');

    const error = await rejectionOf(client.mutate('preferences.update', patch as { theme: 'dark' }));

    expect(error).toMatchObject({ code: 'INVALID_INPUT', delivery: 'handled' });
    expect(error.issues.map((issue) => issue.path)).toContain(path);
    expect(world.disk.keys()).toEqual([]);
  });

  it('can be changed by the options page alone', async () => {
    const world = createExtensionWorld();

    const error = await rejectionOf(
      world.openPage('popup').client.mutate('preferences.update', { theme: 'dark' }),
    );

    expect(error.code).toBe('FORBIDDEN');
    expect(world.disk.keys()).toEqual([]);
  });
});

describe('two pages that change the same preferences', () => {
  it('both see the last change', async () => {
    const world = createExtensionWorld();
    const pages = [world.openPage('options'), world.openPage('options')];
    const latest: string[] = [];
    const follow = async ({ client }: (typeof pages)[number], index: number): Promise<void> => {
      for await (const { theme } of client.subscribe('preferences.watch')) latest[index] = theme;
    };
    void Promise.all(pages.map(follow));

    await Promise.all(
      pages.map(({ client }, index) =>
        client.mutate('preferences.update', { theme: index === 0 ? 'dark' : 'light' }),
      ),
    );

    await vi.waitFor(() => expect(latest).toEqual(['light', 'light']));
  });
});

describe('messages', () => {
  it('are recorded from the call that wakes a worker, with its attempts', async () => {
    const world = createExtensionWorld();
    world.disk.write('preferences', { version: 1, data: { theme: 'dark', recordMessages: true } });
    const { client } = world.openPage('options');
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
    const { client } = createExtensionWorld().openPage('options');
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
});

/** What is recorded, and what comes in the next moment. */
async function readRecords(client: Client<typeof contract>): Promise<CallRecord[]> {
  const records: CallRecord[] = [];
  const signal = AbortSignal.timeout(50);
  for await (const batch of client.subscribe('messages.watch', undefined, { signal }))
    records.push(...batch.records);
  return records;
}
