import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { launchWatched } from '../support/built-extension.ts';

// A message to a background that sleeps is lost in Chromium when its page closes within some 5 ms (docs/pitfalls.md).

const TIMES = 8;

/** Ways of a page to end after a change. */
type Ending = 'close' | 'navigate' | 'settle, then close';

it.each<[what: string, ending: Ending]>([
  ['closes', 'close'],
  ['navigates', 'navigate'],
])(
  'keeps a change by a click that has woken the background, when the page %s at once',
  async (_what, ending) => {
    const extension = await launchWatched();
    const reader = await openReader(extension);

    for (let time = 0; time < TIMES; time += 1) {
      const page = await extension.openPopup();
      await prepare(extension, page, `${time}`, ending);
      await reader.evaluate(() => delete document.body.dataset['awake']);
      // The press wakes the background, the release makes the change. The page may be gone before that is answered.
      const awake = () => reader.waitFor(() => document.body.dataset['awake'] === '').then(() => undefined);
      await page.click('button', awake).catch(() => {});
      await keeps(reader, `${time}`);
      if (ending === 'navigate') await page.close();
    }

    expect(await entriesOf(reader)).toEqual(Array.from({ length: TIMES }, (_, time) => `${time}`));
  },
);

it('keeps a change when the page waits for it before it closes itself', async () => {
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

it('makes no change twice, and disturbs no other page, when nothing waits for the background', async () => {
  const extension = await launchWatched();
  const reader = await openReader(extension);
  const lost: Record<string, number> = {};

  // Milliseconds from a press to the release; a person takes 50 to 150. First without a press.
  for (const held of [undefined, 0, 20, 50, 100]) {
    const changes = Array.from({ length: TIMES }, (_, time) => `${held} ms, ${time}`);
    for (const change of changes) {
      const page = await extension.openPopup();
      await prepare(extension, page, change, 'close');
      await (held === undefined ? press(page) : page.click('button', () => sleep(held)).catch(() => {}));
      // Comes after it, if it comes.
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

/** Opens a page that reads what was kept, and notes in `data-awake` that a background has started. */
async function openReader(extension: RunningExtension): Promise<View> {
  const reader = await extension.open('options.html');
  await reader.evaluate(() => {
    new BroadcastChannel('messaging').addEventListener(
      'message',
      () => (document.body.dataset['awake'] = ''),
    );
    return watched.query('ledger.read');
  });
  return reader;
}

/** Gives the page a button that makes a change and ends the page, and lets the background sleep. */
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
      // Wide enough for a popup.
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

/** Presses the button without a pointer or a key, so that nothing wakes the background before. */
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
