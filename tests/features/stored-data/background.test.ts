import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';

import type { Api } from '../../../src/background/features.ts';
import type { Client } from '../../../src/messaging/client/client.ts';
import type { Json } from '../../../src/messaging/wire/json.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';
import { first, rejectionOf } from '../../support/promises.ts';

describe('stored data', () => {
  it('is reported at first, and once for each change of its condition', async () => {
    const client = openOptions();
    const states = client.subscribe('storage.watch');
    const atFirst = (await states.next()).value;

    await client.mutate('preferences.update', { theme: 'dark' });
    let afterChange = (await states.next()).value;
    // Other features may have stored something before.
    while (afterChange?.documents.includes('preferences') === false)
      afterChange = (await states.next()).value;
    await client.mutate('preferences.update', { theme: 'light' });

    expect(atFirst).toEqual({
      isEmpty: true,
      documents: [],
      absent: expect.arrayContaining(['preferences']),
      readOnly: [],
      unreadable: [],
    });
    expect(afterChange).toEqual({
      isEmpty: false,
      documents: ['preferences'],
      absent: expect.not.arrayContaining(['preferences']),
      readOnly: [],
      unreadable: [],
    });
    expect(await Promise.race([states.next(), sleep(50)])).toBeUndefined();
  });

  it('in quarantine is removed only if the person has seen it in the list', async () => {
    const [seen, later] = [1_000, 2_000].map((at) => `${at}.${crypto.randomUUID()}.preferences`);
    const world = createWorldWith({ [`quarantine/${seen}`]: { text: '"seen"' } });
    const client = openOptions(world);
    const { unreadable } = (await first(client.subscribe('storage.watch'))) ?? {};
    world.disk.write(`quarantine/${later}`, { text: '"not seen"' });
    // The next background reads the store again.
    world.killWorker();

    await client.mutate('quarantine.discard', { ids: unreadable?.map(({ id }) => id) ?? [] });

    expect(unreadable).toEqual([{ id: seen, key: 'preferences', at: 1_000 }]);
    expect(await first(client.subscribe('storage.watch'))).toMatchObject({
      unreadable: [{ id: later, key: 'preferences', at: 2_000 }],
    });
    const gone = await rejectionOf(client.query('quarantine.export', { id: seen ?? '', from: 0 }));
    expect(client.isDeclared('quarantine.export', 'gone', gone)).toBe(true);
    expect(await exportText(client, later)).toBe('"not seen"');
  });

  it('that cannot be read is exported in parts, without cutting a character in two', async () => {
    const text = `${'x'.repeat(1024 * 1024 - 1)}😀 and more`;
    const id = `1.${crypto.randomUUID()}.preferences`;
    const client = openOptions(createWorldWith({ [`quarantine/${id}`]: { text } }));

    const part = await client.query('quarantine.export', { id, from: 0 });
    const rest = await client.query('quarantine.export', { id, from: part.text.length });
    const again = await exportText(client, id);

    expect(part).toEqual({ text: text.slice(0, 1024 * 1024 + 1), isLast: false });
    expect(rest).toEqual({ text: ' and more', isLast: true });
    expect(again).toBe(text);
  });

  it('that was removed during its export is gone', async () => {
    const id = `1.${crypto.randomUUID()}.preferences`;
    const client = openOptions(createWorldWith({ [`quarantine/${id}`]: { text: 'x'.repeat(2 ** 20 + 1) } }));
    const { isLast } = await client.query('quarantine.export', { id, from: 0 });

    await client.mutate('quarantine.discard', { ids: [id] });

    expect(isLast).toBe(false);
    const gone = await rejectionOf(client.query('quarantine.export', { id, from: 2 ** 20 }));
    expect(client.isDeclared('quarantine.export', 'gone', gone)).toBe(true);
  });

  it('that cannot be read stays under its key until a change replaces it, and then in the quarantine', async () => {
    const found = 'x'.repeat(1_000);
    const world = createWorldWith({ preferences: found });
    const client = openOptions(world);
    const state = await first(client.subscribe('storage.watch'));
    const exported = await exportText(client, state?.unreadable[0]?.id);

    world.disk.failWrites(new Error('QUOTA_BYTES quota exceeded'));
    const error = await rejectionOf(client.mutate('preferences.update', { theme: 'light' }));
    const kept = world.disk.read('preferences');
    world.disk.failWrites(undefined);
    await client.mutate('preferences.update', { theme: 'light' });

    const after = await first(client.subscribe('storage.watch'));
    expect(state).toMatchObject({ isEmpty: false, unreadable: [{ key: 'preferences', at: 0 }] });
    expect(error.code).toBe('NOT_STORED');
    expect(kept).toBe(found);
    expect(after?.unreadable).toMatchObject([{ key: 'preferences', at: expect.not.closeTo(0) }]);
    const moved = await exportText(client, after?.unreadable[0]?.id);
    expect([exported, moved]).toEqual([JSON.stringify(found), JSON.stringify(found)]);
  });

  it('that cannot be read is removed from under its key', async () => {
    const world = createWorldWith({ preferences: 'broken' });
    const client = openOptions(world);

    await client.mutate('quarantine.discard', { ids: ['0..preferences'] });

    expect(world.disk.read('preferences')).toBeUndefined();
    expect(await first(client.subscribe('storage.watch'))).toMatchObject({ unreadable: [] });
  });
});

describe('an export', () => {
  const long = 'x'.repeat(1024 * 1024 - 1);

  it('begins with the value that is stored, after an export of another one was broken off', async () => {
    const world = createWorldWith({ preferences: `${long}xx` });
    world.disk.failWrites(new Error('QUOTA_BYTES'));
    const client = openOptions(world);
    const part = { id: '0..preferences', from: 0 };
    const isWhole = (await client.query('quarantine.export', part)).isLast;
    world.disk.failWrites(undefined);
    await client.mutate('preferences.update', { theme: 'dark' });

    const error = await rejectionOf(client.query('quarantine.export', part));

    expect([isWhole, client.isDeclared('quarantine.export', 'gone', error)]).toEqual([false, true]);
  });

  it('does not break a character after half a character', async () => {
    const world = createWorldWith({ 'quarantine/1.a.preferences': { text: `\ud800${long}😀` } });

    const text = await exportText(openOptions(world), '1.a.preferences');

    expect(text).toBe(`\ufffd${long}😀`);
  });
});

/** Exports the parts of a value that could not be read. Returns its whole text. */
async function exportText({ query }: Client<Api>, id = ''): Promise<string> {
  let text = '';
  for (;;) {
    const part = await query('quarantine.export', { id, from: text.length });
    text += part.text;
    if (part.isLast) return text;
  }
}

function createWorldWith(stored: Readonly<Record<string, Json>>): ReturnType<typeof createExtensionWorld> {
  const world = createExtensionWorld();
  for (const [key, value] of Object.entries(stored)) world.disk.write(key, value);
  return world;
}

function openOptions(world = createExtensionWorld()): Client<Api> {
  return world.openPage('options').client;
}
