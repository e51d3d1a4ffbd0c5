import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { launchWatched } from '../support/built-extension.ts';

// In Chromium, a message to a sleeping background is lost if its page closes within about 5 ms (docs/pitfalls.md).

const TIMES = 8;

/** The end of a page after a change. */
type Ending = 'close' | 'navigate' | 'settle, then close';

it.each<[what: string, ending: Ending]>([
  ['closes', 'close'],
  ['navigates', 'navigate'],
])(
  'keeps a change when the click has woken the background, even if the page %s at once',
  async (_what, ending) => {
    const extension = await launchWatched();
    const reader = await openReader(extension);

    for (let time = 0; time < TIMES; time += 1) {
      const page = await extension.openPopup();
      await prepare(extension, page, `${time}`, ending);
      await reader.evaluate(() => delete document.body.dataset['awake']);
      // The press wakes the background, and the release makes the change. The page may be gone before `click` is answered.
      const awake = () => reader.waitFor(() => document.body.dataset['awake'] === '').then(() => undefined);
      await page.click('button', awake).catch(() => {});
      await keeps(reader, `${time}`);
      if (ending === 'navigate') await page.close();
    }

    expect(await entriesOf(reader)).toEqual(Array.from({ length: TIMES }, (_, time) => `${time}`));
  },
);

it('keeps a change when the page waits for `settled` before it closes itself', async () => {
  const extension = await launchWatched();
  const reader = await openReader(extension);

  for (let time = 0; time < TIMES; time += 1) {
    const page = await extension.openPopup();
    await prepare(extension, page, `${time}`, 'settle, then close');
    await press(page);
    await keeps(reader, `${time}`);
  }

  expect(await entriesOf(reader)).toEqual(Array.from({ length: TIMES }, (_, time) => `${time}`));
});

it('makes no change twice, and keeps the changes of another page, when a page closes without waiting', async () => {
  const extension = await launchWatched();
  const reader = await openReader(extension);
  const lost: Record<string, number> = {};

  // Milliseconds from the press to the release. A person takes 50 to 150. `undefined` is a click without a press.
  for (const held of [undefined, 0, 20, 50, 100]) {
    const changes = Array.from({ length: TIMES }, (_, time) => `${held} ms, ${time}`);
    for (const change of changes) {
      const page = await extension.openPopup();
      await prepare(extension, page, change, 'close');
      await (held === undefined ? press(page) : page.click('button', () => sleep(held)).catch(() => {}));
      // This change comes after the other one, if that arrives at all.
      await reader.evaluate((entry) => watched.mutate('ledger.append', entry), `after ${change}`);
    }
    const kept = await entriesOf(reader);
    lost[`${held} ms`] = changes.filter((change) => !kept.includes(change)).length;
  }

  console.log(`measured: ${inject('browserName')}: lost of ${TIMES}: ${JSON.stringify(lost)}`);
  const entries = await entriesOf(reader);
  expect(new Set(entries).size).toBe(entries.length);
  expect(entries.filter((entry) => entry.startsWith('after'))).toHaveLength(5 * TIMES);
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

/** Clicks the button without a pointer or a key, so that nothing wakes the background before the change. */
async function press(page: View): Promise<void> {
  // The page may be gone before it has answered.
  await page.evaluate(() => document.querySelector('button')?.click()).catch(() => {});
}

async function keeps(reader: View, entry: string): Promise<void> {
  await reader.waitFor(async (name) => (await watched.query('ledger.read')).entries.includes(name), entry);
}

async function entriesOf(reader: View): Promise<readonly string[]> {
  return (await reader.evaluate(() => watched.query('ledger.read'))).entries;
}
