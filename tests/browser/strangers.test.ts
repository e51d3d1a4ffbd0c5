import { expect, inject, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { nameHelper, type RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension, withContentScript, writeExtension } from '../support/built-extension.ts';
import { askEverything, everyCall, outcomeOfAll } from '../support/every-call.ts';
import { openPreferences } from '../support/page-actions.ts';
import { servePage } from '../support/web-page.ts';

it.each<[who: string, outcome: string, open: () => Promise<[RunningExtension, attacker: string]>]>([
  [
    'a content script of the extension itself',
    'refused',
    async () => [await launchBuiltExtension(await withContentScript(attackOn(''))), await servePage()],
  ],
  [
    'a content script of another extension',
    'closed',
    async () => {
      const extension = await launchBuiltExtension();
      await addStranger(extension);
      return [extension, await servePage()];
    },
  ],
  [
    'a page of another extension',
    'closed',
    async () => {
      const extension = await launchBuiltExtension();
      return [extension, await addStranger(extension)];
    },
  ],
])('answers no call of %s, and its stored state is as before', async (_who, outcome, open) => {
  const [extension, attacker] = await open();
  const options = await openPreferences(extension);
  const before = await options.evaluate(() => chrome.storage.local.get(null));

  const page = await extension.open(attacker);
  const outcomes = await page.waitFor(() => document.title.startsWith('{') && document.title);

  expect(JSON.parse(outcomes)).toEqual(outcomeOfAll(outcome));
  expect(await options.evaluate(() => chrome.storage.local.get(null))).toEqual(before);
  // Each refused caller is logged once.
  const texts = (await extension.readConsole()).map(({ text }) => text);
  expect(texts.filter((text) => !text.includes('A caller was refused'))).toEqual([]);
});

/** Installs another extension that attacks this one from web pages and from its own page. Returns the address of that page. */
async function addStranger(own: RunningExtension): Promise<string> {
  const isFirefox = inject('browserName') === 'firefox';
  const id = isFirefox ? manifest.browser_specific_settings.gecko.id : new URL(own.origin).hostname;
  const { origin } = await own.installExtension(
    await writeExtension(
      {
        name: 'Stranger',
        content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['attack.js'] }],
        browser_specific_settings: { gecko: { id: 'stranger@extension.invalid' } },
      },
      {
        'attack.js': attackOn(id),
        'page.html': '<!doctype html><title>Stranger</title><script src="attack.js"></script>',
      },
    ),
  );
  return `${origin}/page.html`;
}

/** Returns a script that calls the extension with this id, or its own extension for ''. The title of its page lists the outcomes. */
function attackOn(target: string): string {
  const args = JSON.stringify([everyCall, target]);
  return `{
    ${nameHelper}
    (${askEverything.toString()})(...${args}).then((outcomes) => (document.title = JSON.stringify(outcomes)));
  }`;
}
