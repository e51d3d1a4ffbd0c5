import { expect, inject, it } from 'vitest';

import { launchTestExtension } from '../support/built-extension.ts';

// In Chromium, a message to a sleeping background is lost if its page closes within about 5 ms (docs/pitfalls.md).

const TIMES = inject('size') === 'daily' ? 1 : 4;

/** The end of a page after a change. */
type Ending = 'close' | 'navigate' | 'settle, then close';

it.each<[how: string, ending: Ending]>([
  ['the click has woken the background, and the page closes at once', 'close'],
  ['the click has woken the background, and the page navigates at once', 'navigate'],
  ['the page waits for `settled` before it closes itself', 'settle, then close'],
])('keeps a change when %s', async (_how, ending) => {
  const extension = await launchTestExtension('core');
  const reader = await extension.open('options.html');
  await reader.evaluate(() => chrome.storage.session.onChanged.addListener(() => (document.title = 'awake')));
  const untilAwake = async (): Promise<void> => void (await reader.waitFor(() => document.title === 'awake'));

  for (let time = 0; time < TIMES; time += 1) {
    const page = await extension.openPopup();
    await page.evaluate(addButton, `${time}`, ending);
    await extension.stopWorker();
    await page.waitFor(() => core.connection.state().status === 'asleep');
    await reader.evaluate(() => (document.title = 'asleep'));
    const clicking =
      ending === 'settle, then close'
        ? // Without a pointer or a key, nothing wakes the background before the change.
          page.evaluate(() => document.querySelector('button')?.click())
        : // The press wakes the background, and the release makes the change.
          page.click('button', untilAwake);
    // The page may be gone before it has answered.
    await clicking.catch(() => {});
    await reader.waitFor(async (name) => (await core.query('ledger.read')).entries.includes(name), `${time}`);
    if (ending === 'navigate') await page.close();
  }

  const { entries } = await reader.evaluate(() => core.query('ledger.read'));
  expect(entries).toEqual(Array.from({ length: TIMES }, (_, time) => `${time}`));
});

/** Runs in the page. Adds a button that makes a change and ends the page. */
async function addButton(entry: string, ending: Ending): Promise<void> {
  await core.query('counter.read');
  const button = document.createElement('button');
  button.textContent = 'Change';
  // The content of a popup needs some width.
  button.style.padding = '5rem';
  button.addEventListener('click', () => {
    void core.mutate('ledger.append', entry);
    if (ending === 'close') window.close();
    else if (ending === 'navigate') location.href = 'about:blank';
    else void core.settled().then(() => window.close());
  });
  document.body.append(button);
}
