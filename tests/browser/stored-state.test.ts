import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension, withContentScript } from '../support/built-extension.ts';
import { findViolations, heard, watchAnnouncements } from '../support/inspect-page.ts';
import {
  catchDownloads,
  chooseTheme,
  openPreferences,
  pickTheme,
  pressButton,
} from '../support/page-actions.ts';
import { servePage } from '../support/web-page.ts';

it('shows a preference of the options page in an open popup, also after the worker has died', async () => {
  const extension = await launchBuiltExtension();
  const options = await openPreferences(extension);
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.documentElement.dataset['theme'] === 'system');

  await pickTheme(options, 'Dark');
  for (const page of [popup, options]) await shows(page, 'dark');
  expect(await storedPreferences(options)).toMatchObject({ version: 1, data: { theme: 'dark' } });

  await extension.stopWorker();
  await pickTheme(options, 'Light');
  await shows(popup, 'light');
  expect(await storedPreferences(options)).toMatchObject({ version: 1, data: { theme: 'light' } });
  expect(await extension.readConsole()).toEqual([]);
});

it('reports that stored data cannot be read, saves it as a file, and removes it', async () => {
  const extension = await launchBuiltExtension();
  const options = await openPreferences(extension);
  await options.evaluate(() => chrome.storage.local.set({ preferences: { version: 1, data: 'eaten' } }));
  await extension.stopWorker();

  await options.reload();
  const notice = await options.waitFor(() => document.querySelector('[role=alert]')?.textContent);
  const popup = await extension.openPopup();
  const inPopup = await popup.waitFor(() => document.querySelector('[role=alert]')?.textContent);
  await options.evaluate(catchDownloads);
  await options.evaluate(watchAnnouncements);
  await pickTheme(options, 'Dark');
  await heard(options, 'Saved.');
  await pressButton(options, 'Save a copy');
  const saved = await options.waitFor(() => document.body.dataset['saved']);
  await heard(options, 'Saved as');
  await pressButton(options, 'Remove…');
  const whileAsking = await findViolations(options);
  await pressButton(options, 'Remove');
  const announced = await heard(options, 'was removed');

  await options.waitFor(() => document.querySelector('[role=alert]') === null);
  expect(notice).toMatch(/^Some saved data could not be read\. It is kept/);
  expect(inPopup).toContain('could not be read');
  expect(JSON.parse(saved)).toMatchObject([{ key: 'preferences', value: { version: 1, data: 'eaten' } }]);
  const ownLines = announced.filter((line) => /Sav|unreadable/.test(line));
  expect(ownLines.map((line) => line.replace(/ \S+\.json.*/, ' a file'))).toEqual([
    'status: Saving…',
    'status: Saved.',
    'status: Saved as a file',
    'status: The unreadable data was removed.',
  ]);
  expect(whileAsking).toEqual([]);
  expect(await extension.readConsole()).toEqual([]);
});

it('reports a document that the browser has lost, in both pages, until it is saved again', async () => {
  const extension = await launchBuiltExtension();
  await chooseTheme(extension, 'Dark');
  const options = await openPreferences(extension);
  await options.waitFor(() => localStorage.getItem('stored') === 'preferences');
  await options.evaluate(() => chrome.storage.local.remove('preferences'));
  await extension.stopWorker();

  await options.reload();
  const popup = await extension.openPopup();
  const notices = await Promise.all(
    [options, popup].map((page) => page.waitFor(() => document.querySelector('[role=alert]')?.textContent)),
  );
  await pickTheme(options, 'Light');

  for (const page of [options, popup]) {
    await page.waitFor(() => document.querySelector('[role=alert]') === null);
  }
  expect(notices.map((text) => text.slice(0, 24))).toEqual(Array(2).fill('The browser lost some or'));
  expect(await extension.readConsole()).toEqual([]);
});

// Chromium stores only JSON.
it.runIf(inject('browserName') === 'firefox')(
  'keeps a stored value that is not JSON under its key until the person removes it, and reports it',
  async () => {
    const extension = await launchBuiltExtension();
    const options = await openPreferences(extension);
    const outcomes: unknown[] = [];

    for (const kind of ['BigInt', 'map', 'cycle', 'lists', 'objects']) {
      await options.evaluate(storeUnusual, kind);
      await extension.stopWorker();
      await options.reload();
      const notice = await options.waitFor(() => document.querySelector('.notice')?.textContent);
      await pickTheme(options, 'Dark');
      await options.waitFor(() => document.body.textContent.includes('Your change was not saved.'));
      await options.evaluate(catchDownloads);
      await pressButton(options, 'Save a copy');
      const saved = await options.waitFor(() => document.body.dataset['saved']);
      const kept = await options.evaluate(nameStored);
      await pressButton(options, 'Remove…');
      await pressButton(options, 'Remove');
      await options.waitFor(() => document.querySelector('.notice')?.textContent === '');
      const left = await options.evaluate(nameStored);
      outcomes.push([kind, notice, JSON.parse(saved), kept, left]);
    }

    const notice = expect.stringMatching(/^Some saved data could not be read\. It is kept/);
    const savedAs = (value: unknown) => [{ key: 'preferences', at: 0, value }];
    expect(outcomes).toEqual([
      ['BigInt', notice, savedAs({ version: 1, data: '1n' }), 'bigint', 'nothing'],
      ['map', notice, savedAs({ version: 1, data: [[1, 2]] }), 'map', 'nothing'],
      ['cycle', notice, savedAs('[object Object]'), 'cycle', 'nothing'],
      ['lists', notice, savedAs(expect.anything()), '30000 levels', 'nothing'],
      ['objects', notice, savedAs(expect.anything()), '30000 levels', 'nothing'],
    ]);
    expect(await extension.readConsole()).toEqual([]);
  },
);

it('refuses content scripts the stored state in Chromium, and stores only the preferences and the journal', async () => {
  const script = `
    Promise.resolve().then(() => chrome.storage.local.get(null))
      .then((all) => JSON.stringify(Object.keys(all)), () => 'refused')
      .then((told) => { document.title = 'told ' + told; });
  `;
  const extension = await launchBuiltExtension(await withContentScript(script));
  await chooseTheme(extension, 'Dark');

  const page = await extension.open(await servePage());
  const told = await page.waitFor(() => document.title.startsWith('told') && document.title);
  const options = await openPreferences(extension);
  const stored = await options.evaluate(() => chrome.storage.local.get(null));

  // Firefox has no such setting. A content script could read all of this there, and the extension has none.
  expect(told).toMatch(inject('browserName') === 'chromium' ? /^told refused$/ : /^told \[/);
  const { preferences, ...rest } = stored;
  expect(preferences).toEqual({ version: 1, data: { theme: 'dark' } });
  expect(Object.keys(rest).filter((key) => !/^journal(\/|$)/.test(key))).toEqual([]);
});

function shows(page: View, theme: string): Promise<boolean> {
  return page.waitFor((expected) => document.documentElement.dataset['theme'] === expected, theme);
}

function storedPreferences(page: View): Promise<unknown> {
  return page.evaluate(async () => (await chrome.storage.local.get('preferences'))['preferences']);
}

/** Runs in a page in Firefox. Stores preferences that are not JSON, or that have too many levels. */
async function storeUnusual(kind: string): Promise<void> {
  const cycle: { version: number; data?: unknown } = { version: 1 };
  cycle.data = cycle;
  let [lists, objects]: unknown[] = [1, 1];
  for (let level = 0; level < 30_000; level += 1) [lists, objects] = [[lists], { data: objects }];
  const values: Readonly<Record<string, unknown>> = {
    BigInt: { version: 1, data: 1n },
    map: { version: 1, data: new Map([[1, 2]]) },
    cycle,
    lists: { version: 1, data: lists },
    objects: { version: 1, data: objects },
  };
  await chrome.storage.local.set({ preferences: values[kind] });
}

/** Runs in a page in Firefox. Returns the kind of the stored preferences. */
async function nameStored(): Promise<string> {
  const { preferences } = await chrome.storage.local.get('preferences');
  // A removed key is `null` for a second.
  if (preferences === undefined || preferences === null) return 'nothing';
  const { data } = preferences as { readonly data: unknown };
  if (data === preferences) return 'cycle';
  if (data instanceof Map) return 'map';
  if (typeof data !== 'object') return typeof data;
  let [levels, inner]: [number, unknown] = [0, data];
  for (; typeof inner === 'object' && inner !== null; levels += 1) [inner] = Object.values(inner);
  return `${levels} levels`;
}
