import { expect, inject, it } from 'vitest';

import { launchBuiltExtension, withContentScript } from '../../../support/built-extension.ts';
import { findViolations, heard, watchAnnouncements } from '../../../support/inspect-page.ts';
import {
  catchDownloads,
  chooseTheme,
  openPreferences,
  pickTheme,
  pressButton,
} from '../../../support/page-actions.ts';
import { servePage } from '../../../support/web-page.ts';

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
  expect(notice).toMatch(/^Some saved data could not be read\. It was kept/);
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

it('both pages report that other code has emptied `storage.local`', async () => {
  const extension = await launchBuiltExtension();
  const options = await openPreferences(extension);
  await chooseTheme(extension, 'Dark');
  await options.evaluate(() => chrome.storage.local.clear());
  await extension.stopWorker();

  await options.reload();
  const notice = await options.waitFor(() => document.querySelector('[role=alert]')?.textContent);
  const popup = await extension.openPopup();
  const inPopup = await popup.waitFor(() => document.querySelector('[role=alert]')?.textContent);

  const lost = expect.stringMatching(/^The browser lost some or all of your saved data\./) as string;
  expect([notice, inPopup]).toEqual([lost, lost]);
});

it('refuses content scripts the stored state in Chromium', async () => {
  const script = `
    Promise.resolve().then(() => chrome.storage.local.get(null))
      .then(() => 'read', () => 'refused')
      .then((told) => { document.title = 'told ' + told; });
  `;
  const extension = await launchBuiltExtension(await withContentScript(script));
  await chooseTheme(extension, 'Dark');

  const page = await extension.open(await servePage());
  const told = await page.waitFor(() => document.title.startsWith('told') && document.title);

  // Firefox has no such setting.
  expect(told).toBe(inject('browserName') === 'chromium' ? 'told refused' : 'told read');
});
