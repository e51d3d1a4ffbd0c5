import { expect, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension, launchOwnBrowser } from '../support/built-extension.ts';

it('carries a preference from the options page to an open popup, over a dead worker and a restarted browser', async () => {
  const extension = await launchOwnBrowser();
  const options = await extension.open('src/options/index.html#/preferences');
  await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.documentElement.dataset['theme'] === 'system');

  await choose(options, 'Dark');

  await popup.waitFor(() => document.documentElement.dataset['theme'] === 'dark');
  await options.waitFor(() => document.documentElement.dataset['theme'] === 'dark');
  expect(await stored(options)).toMatchObject({ version: 1, data: { theme: 'dark' } });

  await extension.stopWorker();
  await choose(options, 'Light');
  await popup.waitFor(() => document.documentElement.dataset['theme'] === 'light');
  expect(await stored(options)).toMatchObject({ version: 1, data: { theme: 'light' } });

  const restarted = await extension.restart();
  const again = await restarted.open('src/options/index.html#/preferences');
  const chosen = await again.waitFor(
    () => document.querySelector('input[name=theme]:checked')?.parentElement?.textContent,
  );
  expect(chosen).toBe('Light');
  expect(restarted.origin).toBe(extension.origin);
  // The browser starts the background when it likes, which then sets the popup's address.
  await expect.poll(() => addressOfPopup(restarted)).toMatch(/#light$/);
  expect(await restarted.readConsole()).toEqual([]);
});

it('says that the background sleeps when its worker has stopped, and wakes it for a call', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/preferences');
  await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);

  // A stream that still waits for its first value wakes the worker again.
  const saysAsleep = async (): Promise<boolean> => {
    await extension.stopWorker();
    return options.evaluate(() => document.body.textContent.includes('Background asleep'));
  };
  await pollUntil(saysAsleep, 'the page to say that the background sleeps');
  const isAsleep = !(await extension.isWorkerRunning());
  await choose(options, 'Dark');

  await options.waitFor(() => document.body.textContent.includes('Background awake'));
  expect(isAsleep).toBe(true);
  expect(await extension.readConsole()).toEqual([]);
});

/** Chooses a theme without bringing the tab to the front, which would close the popup. */
async function choose(options: View, label: string): Promise<void> {
  await options.evaluate((text) => {
    const labels = [...document.querySelectorAll('label')];
    labels.find((candidate) => candidate.textContent === text)?.click();
  }, label);
}

function stored(page: View): Promise<unknown> {
  return page.waitFor(async () => (await chrome.storage.local.get('preferences'))['preferences']);
}

async function addressOfPopup(extension: RunningExtension): Promise<string> {
  const popup = await extension.openPopup();
  const address = await popup.url();
  await popup.close();
  return address;
}
