import { expect, inject, it } from 'vitest';

import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension, withContentScript, writeExtension } from '../support/built-extension.ts';
import { servePage } from '../support/web-page.ts';

/**
 * Tries a port and a message, writes what came of it into the title of its page. `<id>` is the extension to reach, or
 * nothing for the script's own.
 */
const ATTACK = (id: string): string => `
  const frames = [
    { kind: 'query', id: 1, name: 'extension.info', attempt: 1, timeout: 1000 },
    { kind: 'mutation', id: 2, name: 'preferences.update', input: { theme: 'dark' }, page: 'p', attempt: 1, timeout: 1000, sentAt: Date.now() },
    { kind: 'subscription', id: 3, name: 'preferences.watch', attempt: 1 },
  ];
  const heard = [];
  let isClosed = false;
  let settled = 0;
  const target = ${JSON.stringify(id === '' ? [] : [id])};
  try {
    const port = chrome.runtime.connect(...target, { name: 'options' });
    port.onMessage.addListener((message) => heard.push(message));
    port.onDisconnect.addListener(() => { void chrome.runtime.lastError; isClosed = true; });
    port.postMessage(frames);
  } catch { isClosed = true; }
  const hear = (answer) => {
    void chrome.runtime.lastError;
    if (answer !== undefined) heard.push(answer);
    settled += 1;
  };
  for (const frame of frames) {
    // It may be refused at once, too.
    try { chrome.runtime.sendMessage(...target, frame, hear); } catch { hear(); }
  }
  // The background may have to start before it can close anything.
  const look = () => {
    if (isClosed && settled === frames.length) document.title = JSON.stringify({ isClosed, heard });
    else setTimeout(look, 50);
  };
  look();
`;

it('closes the port of a content script that bears the extension’s own id, and answers nothing', async () => {
  const extension = await launchBuiltExtension(await withContentScript(ATTACK('')));

  const page = await extension.open(await servePage());
  const outcome = await page.waitFor(() => document.title.startsWith('{') && document.title);

  expect(JSON.parse(outcome)).toEqual({ isClosed: true, heard: [] });
  expect(await storedIn(extension)).toEqual({});
});

it('lets neither a page nor a content script of another extension in', async () => {
  const extension = await launchBuiltExtension();
  const id =
    inject('browserName') === 'firefox'
      ? 'nine-points@extension.invalid'
      : new URL(extension.origin).hostname;
  const { origin } = await extension.installExtension(
    await writeExtension(
      {
        name: 'Stranger',
        content_scripts: [{ matches: ['http://127.0.0.1/*'], js: ['attack.js'] }],
        browser_specific_settings: { gecko: { id: 'stranger@extension.invalid' } },
      },
      {
        'attack.js': ATTACK(id),
        'page.html': '<!doctype html><title>Stranger</title><script src="attack.js"></script>',
      },
    ),
  );

  const outcomes = [];
  for (const address of [`${origin}/page.html`, await servePage()]) {
    const page = await extension.open(address);
    outcomes.push(JSON.parse(await page.waitFor(() => document.title.startsWith('{') && document.title)));
  }

  expect(outcomes).toEqual([
    { isClosed: true, heard: [] },
    { isClosed: true, heard: [] },
  ]);
  expect(await storedIn(extension)).toEqual({});
});

async function storedIn(extension: RunningExtension): Promise<unknown> {
  const options = await extension.open('src/options/index.html');
  return options.evaluate(() => chrome.storage.local.get(null));
}
