import fc from 'fast-check';
import { expect, inject, it } from 'vitest';

import { launchBuiltExtension, withContentScript } from '../support/built-extension.ts';
import { catchDownloads, chooseTheme, openPreferences, pressButton } from '../support/page-actions.ts';
import { servePage } from '../support/web-page.ts';

/** States that are put into the browser. */
const STATES = 200;

it('reads whatever is stored as preferences that it knows, and keeps what it does not know', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html');
  const states = fc.sample(storedState(), { numRuns: STATES, seed: Math.trunc(Math.random() * 1e9) });

  const themes = await options.evaluate(readEach, states);

  expect(themes).toHaveLength(STATES);
  expect(themes.filter((theme) => !['system', 'light', 'dark'].includes(theme))).toEqual([]);
  expect(await options.evaluate(() => chrome.storage.local.get('stranger'))).toEqual({ stranger: 'kept' });
  expect(await extension.readConsole()).toEqual([]);
});

it('says that what was stored could not be read, gives it back as a file, and removes it', async () => {
  const extension = await launchBuiltExtension();
  const options = await openPreferences(extension);
  await options.evaluate(() => chrome.storage.local.set({ preferences: { version: 1, data: 'eaten' } }));
  await extension.stopWorker();

  await options.reload();
  const notice = await options.waitFor(() => document.querySelector('[role=alert]')?.textContent);
  const popup = await extension.openPopup();
  const inPopup = await popup.waitFor(() => document.querySelector('[role=alert]')?.textContent);
  await options.evaluate(catchDownloads);
  await pressButton(options, 'Save a copy');
  const saved = await options.waitFor(() => document.body.dataset['saved']);
  await pressButton(options, 'Remove…');
  await pressButton(options, 'Remove');

  await options.waitFor(() => document.querySelector('[role=alert]') === null);
  expect(notice).toMatch(/^Some saved data could not be read\. It was set aside/);
  expect(inPopup).toContain('could not be read');
  expect(JSON.parse(saved)).toMatchObject([
    { document: 'preferences', value: { version: 1, data: 'eaten' } },
  ]);
  expect(await extension.readConsole()).toEqual([]);
});

it('keeps the stored state from content scripts where the browser can, and nothing secret in it', async () => {
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

  // Firefox has no such setting: there a content script, if there were one, could read all of this.
  expect(told).toMatch(inject('browserName') === 'chromium' ? /^told refused$/ : /^told \[/);
  const { preferences, ...rest } = stored;
  expect(preferences).toEqual({ version: 1, data: { theme: 'dark', recordMessages: false } });
  expect(Object.keys(rest).filter((key) => !key.startsWith('journal/'))).toEqual([]);
});

/** Stores each state and returns the theme that a page then receives, over a port of its own. */
async function readEach(states: readonly object[]): Promise<string[]> {
  const port = chrome.runtime.connect();
  let hear = (_frame: { kind: string; value?: { theme: string } }): void => {};
  port.onMessage.addListener((message) => {
    for (const frame of [message].flat()) hear(frame as Parameters<typeof hear>[0]);
  });

  const themes: string[] = [];
  for (const [index, state] of states.entries()) {
    await chrome.storage.local.set({ stranger: 'kept', ...state });
    const id = index + 1;
    themes.push(
      await new Promise<string>((resolve) => {
        hear = (frame) => {
          if (frame.kind !== 'ready') resolve(frame.value?.theme ?? frame.kind);
        };
        port.postMessage([{ kind: 'subscription', id, name: 'preferences.watch', attempt: 1 }]);
      }),
    );
    port.postMessage([{ kind: 'abort', id, reason: 'ABORTED' }]);
  }
  return themes;
}

function storedState(): fc.Arbitrary<object> {
  const data = fc.oneof(
    fc.record({ theme: fc.oneof(fc.constantFrom('system', 'light', 'dark', 'sepia'), fc.jsonValue()) }),
    fc.jsonValue(),
  );
  const document = fc.record(
    { version: fc.oneof(fc.integer({ min: -1, max: 3 }), fc.jsonValue()), data },
    { requiredKeys: [] },
  );
  return fc.record({ preferences: fc.oneof(document, fc.jsonValue()) });
}
