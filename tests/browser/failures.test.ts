import { expect, inject, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { heard, watchAnnouncements } from '../support/inspect-page.ts';

/** Script that makes the worker ignore every port until a value is stored under `heal`. */
const MUTE = `
  let isMute = true;
  chrome.storage.onChanged.addListener((changes) => { if ('heal' in changes) isMute = false; });
  for (const api of new Set([globalThis.chrome, globalThis.browser])) {
    if (api === undefined) continue;
    const { onConnect } = api.runtime;
    const addListener = onConnect.addListener.bind(onConnect);
    onConnect.addListener = (listener) => addListener((port) => { if (!isMute) listener(port); });
  }
`;

it('reports that a silent background does not answer, and recovers when it answers', async () => {
  const folder = await copyBuiltExtension({ 'worker.js': (text) => `${MUTE}\n${text}` });
  const extension = await launchBuiltExtension(folder);
  const options = await extension.open(`${pages.options}#/preferences`);
  await options.waitFor(() => document.body.textContent.includes('Connecting…'));

  await options.evaluate(watchAnnouncements);
  await options.waitFor(() => document.body.textContent.includes('The extension does not respond.'));
  await options.click('[role=alert] + button');
  await options.waitFor(() => document.querySelector('[role=alert] + button')?.textContent === 'Trying…');
  await options.evaluate(() => chrome.storage.local.set({ heal: true }));

  await options.waitFor(() => document.body.textContent.includes('Ready'));
  await options.waitFor(() => document.querySelector('input[name=theme]:checked') !== null);
  const announced = await heard(options, 'Ready');
  expect(announced).toContainEqual(expect.stringMatching(/^alert: The extension does not respond\./));
});

it('reports once in each page that a background that throws at start cannot be reached', async () => {
  const folder = await copyBuiltExtension({ 'worker.js': `throw new Error('no start');` });
  const extension = await launchBuiltExtension(folder);

  const options = await extension.open(pages.options);
  const popup = await extension.openPopup();

  // Chromium never registers such a worker and leaves its ports open, so that it looks silent.
  const told =
    inject('browserName') === 'firefox' ? 'keeps stopping before it can respond' : 'does not respond';
  for (const page of [options, popup]) {
    const alerts = await page.waitFor(() => {
      const texts = [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent);
      return texts.join('') !== '' && texts.filter(Boolean);
    });
    expect(alerts).toEqual([expect.stringContaining(told)]);
    expect(await page.text()).toContain('Try again');
  }
});
