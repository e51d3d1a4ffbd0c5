import { storage } from 'webextension-polyfill';
import { beforeEach, expect, it, vi } from 'vitest';

import { resetBrowser } from '../support/browser.ts';

beforeEach(resetBrowser);

/** Starts a background that listens to `storage.session`. */
async function start(): Promise<() => Promise<string>> {
  vi.resetModules();
  const { keepSession, readSession } = await import('../../src/platform/session-id.ts');
  keepSession();
  return readSession;
}

it.each(['known', 'not known'])(
  'the id of a session is put back when it was removed and %s',
  async (known) => {
    let readSession = await start();
    const id = await readSession();
    if (known === 'not known') readSession = await start();

    await storage.session.clear();

    expect(await readSession()).toBe(id);
    await vi.waitFor(async () => expect(Object.values(await storage.session.get(null))).toEqual([id]));
  },
);

it('the id of a session is one text in each background although it cannot be stored, and this is logged', async () => {
  const full = new Error('Session storage quota bytes exceeded.');
  vi.spyOn(storage.session, 'set').mockRejectedValue(full);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const readSession = await start();

  const id = await readSession();

  expect(await readSession()).toBe(id);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('State of this session will be lost'), full);
});
