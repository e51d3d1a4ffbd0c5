import { runtime, storage, type Tabs, tabs } from 'webextension-polyfill';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { announceWake, announceWakeToTabs } from '../../src/platform/announce.ts';
import { resetBrowser } from '../support/browser.ts';

const full = new Error('Session storage quota bytes exceeded.');

let notified: number[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  resetBrowser();
  notified = [];
  vi.spyOn(tabs, 'query').mockResolvedValue([1, 2, 3].map((id) => ({ id }) as Tabs.Tab));
  vi.spyOn(tabs, 'connect').mockImplementation((id) => {
    notified.push(id);
    return { onDisconnect: { addListener: () => {} } } as unknown as ReturnType<typeof tabs.connect>;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A background that lives until it has notified all tabs. Content scripts in these tabs call it. */
async function live(...callers: number[]): Promise<readonly number[]> {
  notified = [];
  const note = announceWakeToTabs();
  for (const id of callers) note({ tab: { id }, url: 'https://site.test/' });
  await vi.advanceTimersByTimeAsync(1_000);
  return notified;
}

it('notifies only tabs from which a content script has called', async () => {
  await live();

  expect(await live()).toEqual([]);
  expect(await live(2, 2)).toEqual([]);
  expect(await live(3)).toEqual([2]);
  expect(await live()).toEqual([2, 3]);
});

it('does not notify a tab that shows a page of the extension', async () => {
  await live();
  const note = announceWakeToTabs();
  note({ tab: { id: 2 }, url: runtime.getURL('src/options/index.html') });
  await vi.advanceTimersByTimeAsync(1_000);

  expect(await live()).toEqual([]);
});

it('does not notify a tab that is closed', async () => {
  await live(1, 4);

  expect(await live()).toEqual([1]);
});

it('notifies all tabs when other code has removed the list', async () => {
  await live(2);
  await storage.session.clear();

  expect(await live(3)).toEqual([1, 2, 3]);
  expect(await live()).toEqual([3]);
});

it('notifies all tabs if the background before ended while the list was incomplete', async () => {
  await live(2);
  await storage.session.clear();
  announceWakeToTabs()({ tab: { id: 3 }, url: 'https://site.test/' });
  await vi.advanceTimersByTimeAsync(50);
  // This background dies here.
  vi.clearAllTimers();

  expect(await live()).toEqual([1, 2, 3]);
});

it('notifies all tabs if a tab could not be added to the list', async () => {
  await live(2);
  vi.spyOn(storage.session, 'set').mockRejectedValueOnce(full);
  await live(3);

  expect(await live()).toEqual([1, 2, 3]);
});

it('logs that pages could not be notified of the start of the background', async () => {
  vi.spyOn(storage.session, 'set').mockRejectedValue(full);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});

  announceWake();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(warn).toHaveBeenCalledWith(expect.stringContaining('Open pages do not learn'), full);
});
