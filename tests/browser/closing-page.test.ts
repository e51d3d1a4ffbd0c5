import { expect, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';

// In Chromium, a message to a sleeping background is lost if its page closes within about 5 ms (docs/pitfalls.md).

const TIMES = 4;

/** The end of a page after a change. */
type Ending = 'close' | 'navigate' | 'settle, then close';

it.each<[how: string, ending: Ending, change: (page: View, reader: View) => Promise<void>]>([
  ['the click has woken the background, and the page closes at once', 'close', click],
  ['the click has woken the background, and the page navigates at once', 'navigate', click],
  ['the page waits for `settled` before it closes itself', 'settle, then close', press],
])('keeps a change when %s', async (_how, ending, change) => {
  const extension = await launchTestExtension('watched');
  const reader = await openReader(extension);

  for (let time = 0; time < TIMES; time += 1) {
    const page = await extension.openPopup();
    await prepare(extension, page, `${time}`, ending);
    await change(page, reader);
    await reader.waitFor(
      async (name) => (await watched.query('ledger.read')).entries.includes(name),
      `${time}`,
    );
    if (ending === 'navigate') await page.close();
  }

  const { entries } = await reader.evaluate(() => watched.query('ledger.read'));
  expect(entries).toEqual(Array.from({ length: TIMES }, (_, time) => `${time}`));
});

/** Opens a page that reads the kept entries, and that sets `data-awake` when a background starts. */
async function openReader(extension: RunningExtension): Promise<View> {
  const reader = await extension.open('options.html');
  await reader.evaluate(() => {
    chrome.storage.session.onChanged.addListener(() => (document.body.dataset['awake'] = ''));
    return watched.query('ledger.read');
  });
  return reader;
}

/** Adds a button to the page that makes a change and ends the page. Then stops the background. */
async function prepare(
  extension: RunningExtension,
  page: View,
  entry: string,
  ending: Ending,
): Promise<void> {
  await page.evaluate(
    async (name, way) => {
      await watched.query('worker.facts');
      const button = document.createElement('button');
      button.textContent = 'Change';
      // The content of a popup needs some width.
      button.style.padding = '5rem';
      button.addEventListener('click', () => {
        void watched.mutate('ledger.append', name);
        if (way === 'close') window.close();
        else if (way === 'navigate') location.href = 'about:blank';
        else void watched.settled().then(() => window.close());
      });
      document.body.append(button);
    },
    entry,
    ending,
  );
  await extension.stopWorker();
  await page.waitFor(() => watched.connection.state().status === 'asleep');
}

/** Clicks the button with a pointer. The press wakes the background, and the release makes the change. */
async function click(page: View, reader: View): Promise<void> {
  await reader.evaluate(() => delete document.body.dataset['awake']);
  const awake = () => reader.waitFor(() => document.body.dataset['awake'] === '').then(() => undefined);
  // The page may be gone before it has answered.
  await page.click('button', awake).catch(() => {});
}

/** Clicks the button without a pointer or a key, so that nothing wakes the background before the change. */
async function press(page: View): Promise<void> {
  await page.evaluate(() => document.querySelector('button')?.click()).catch(() => {});
}
