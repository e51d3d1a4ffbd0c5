import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { act, addOne, launchContent, shows, statusIs } from '../support/content-page.ts';

it.each<[how: string, prepare: (options: View) => Promise<unknown>]>([
  [
    'registered',
    (options) =>
      options.evaluate(() =>
        chrome.scripting.registerContentScripts([
          { id: 'late', matches: ['http://*.test/*'], js: ['content.js'] },
        ]),
      ),
  ],
  [
    'injected',
    (options) =>
      options.evaluate(() =>
        chrome.tabs.onUpdated.addListener((tabId, { status }) => {
          if (status !== 'complete') return;
          // The extension may not enter its own pages.
          chrome.scripting.executeScript({ target: { tabId }, files: ['content.js'] }).catch(() => {});
        }),
      ),
  ],
])(
  'resumes the subscriptions of a content script that was %s while the extension runs',
  async (_how, prepare) => {
    const withoutScripts = (text: string): string =>
      JSON.stringify({ ...(JSON.parse(text) as object), content_scripts: undefined });
    const { extension, page } = await launchContent({ 'manifest.json': withoutScripts }, prepare);
    await shows(page, '0');
    await extension.stopWorker();
    await statusIs(page, 'asleep');

    await addOne(extension);

    expect(await shows(page, '1')).toBe(true);
  },
);

it('notifies only the tabs from which a content script has called, and all tabs if their list was removed', async () => {
  const { extension, page, address } = await launchContent();
  await extension.open(address.replace('web.test', '127.0.0.1'));
  await shows(page, '0');
  const options = await extension.open('options.html');
  // The list is stored soon after a call.
  const onlyScriptIsListed = (): Promise<boolean> =>
    options.waitFor(async () => {
      const { 'messaging/tabs': list } = await chrome.storage.session.get('messaging/tabs');
      const scripts = (await chrome.tabs.query({ url: 'http://*.test/*' })).map(({ id }) => id);
      return scripts.length === 1 && JSON.stringify(list) === JSON.stringify(scripts);
    });
  expect(await onlyScriptIsListed()).toBe(true);

  await options.evaluate(() => chrome.storage.session.clear());
  await extension.stopWorker();
  await statusIs(page, 'asleep');
  await addOne(extension);

  expect(await shows(page, '1')).toBe(true);
  expect(await onlyScriptIsListed()).toBe(true);
});

it('shows the output of a content script whatever the styles of the page are', async () => {
  const { page } = await launchContent();
  const before = await act(page, 'read the style');

  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent =
      'html { color: red; font-size: 40px } count-output, * { all: unset !important; display: none !important }';
    // The root stays visible, because its whole page is hidden with it.
    document.documentElement.style.setProperty('display', 'block', 'important');
    document.head.append(style);
  });

  expect(await act(page, 'read the style')).toEqual(before);
  expect(before).toMatchObject({ isVisible: true });
  expect(await page.evaluate(() => document.querySelector('count-output')?.shadowRoot)).toBeNull();
});

// https://github.com/hypothesis/browser-extension/issues/37
it('runs the content script in an open tab when the extension is turned on again', async () => {
  const { extension, page } = await launchContent();
  await addOne(extension);
  await shows(page, '1');

  await extension.disableExtension();
  await extension.enableExtension();
  await addOne(extension);

  expect(await shows(page, '2')).toBe(true);
});

// Firefox ends the script without notice, and its output stays until the page is loaded again.
it.skipIf(inject('browserName') === 'firefox').each(['awake', 'asleep'])(
  'removes the output of a content script that makes no calls when the extension is removed while the background is %s',
  async (status) => {
    const { extension, page } = await launchContent();
    await shows(page, '0');
    if (status === 'asleep') await extension.stopWorker();
    await statusIs(page, status);
    if (status === 'asleep') await act(page, 'rest');

    await extension.removeExtension();

    const isGone = await page.waitFor((isAsleep) => {
      // The person comes back to the page.
      if (isAsleep) dispatchEvent(new Event('focus'));
      return document.querySelector('count-output') === null;
    }, status === 'asleep');
    expect(isGone).toBe(true);
  },
);

it('resumes subscriptions in private windows and container tabs when the background wakes', async () => {
  const { extension, address } = await launchContent();
  await extension.allowPrivateWindows();
  const options = await extension.open('options.html');
  await options.evaluate(() => localStorage.setItem('mark', 'set'));
  const inPrivate = `${address}private`;
  const pages: View[] = [];
  // In Chromium, pages of the extension open in a normal window, and there are no containers.
  if (inject('browserName') === 'firefox') {
    const tab = { url: `${extension.origin}/options.html?container`, cookieStoreId: 'firefox-container-1' };
    await options.evaluate((created) => chrome.tabs.create(created), tab);
    const url = `${extension.origin}/options.html?private`;
    await options.evaluate((created) => chrome.windows.create(created), { incognito: true, url });
    pages.push(await extension.findView(tab.url), await extension.findView(url));
  }
  await options.evaluate((url) => chrome.windows.create({ incognito: true, url }), inPrivate);
  const script = await extension.findView(inPrivate);
  await shows(script, '0');
  for (const page of pages) await page.waitFor(() => document.title === '0');
  await extension.stopWorker();
  for (const page of pages) await page.waitFor(() => own.connection.state().status === 'asleep');
  await statusIs(script, 'asleep');

  await addOne(extension);

  for (const page of pages) {
    await page.waitFor(() => document.title === '1');
    expect(await page.evaluate(() => localStorage.getItem('mark'))).toBeNull();
  }
  expect(await shows(script, '1')).toBe(true);
  expect(await act(script, 'ask who calls')).toMatchObject([{ isPrivate: true }, { isPrivate: true }]);
});
