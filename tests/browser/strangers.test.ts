import { expect, inject, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { nameHelper, type RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension, withContentScript, writeExtension } from '../support/built-extension.ts';
import { openPreferences } from '../support/page-actions.ts';
import { servePage } from '../support/web-page.ts';

const isFirefox = inject('browserName') === 'firefox';
const call = { id: 1, attempt: 1, timeout: 1_000, page: 'p', sentAt: Date.now() };

/** Frames of a hostile script: calls, frames that only the background sends, an unknown kind, and a name of a prototype. */
const FRAMES = [
  { ...call, kind: 'query', name: 'extension.info' },
  { ...call, kind: 'subscription', name: 'preferences.watch' },
  { ...call, kind: 'mutation', name: 'preferences.update', input: { theme: 'dark' } },
  { kind: 'awake' },
  { kind: 'value', id: 1, value: 1 },
  { name: '__proto__' },
];

it.each<
  [who: string, launch: () => Promise<RunningExtension>, attacker: (own: RunningExtension) => Promise<string>]
>([
  [
    'a content script of the extension itself',
    async () => launchBuiltExtension(await withContentScript(attackOn(''))),
    servePage,
  ],
  [
    'a content script of another extension',
    () => launchBuiltExtension(),
    (own) => addStranger(own).then(servePage),
  ],
  ['a page of another extension', () => launchBuiltExtension(), addStranger],
])('answers no call of %s, and its stored state is as before', async (_who, launch, attacker) => {
  const extension = await launch();
  const options = await openPreferences(extension);
  const before = await options.evaluate(() => chrome.storage.local.get(null));

  const page = await extension.open(await attacker(extension));

  expect(await page.waitFor(() => document.title.startsWith('[') && document.title)).toBe('[]');
  expect(await options.evaluate(() => chrome.storage.local.get(null))).toEqual(before);
  // Each refused caller is logged once.
  const texts = (await extension.readConsole()).map(({ text }) => text);
  expect(texts.filter((text) => !text.includes('A caller was refused'))).toEqual([]);
});

/** Installs another extension that attacks this one from web pages and from its own page. Returns the address of that page. */
async function addStranger(own: RunningExtension): Promise<string> {
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

/** Returns the source of a script that attacks the extension with this id, or its own extension for ''. */
function attackOn(target: string): string {
  return `{ ${nameHelper} (${attack.toString()})(...${JSON.stringify([FRAMES, target])}); }`;
}

/**
 * Sends each frame over a port and as a message. When all are over, the title of the page lists what was answered. It runs in
 * the browser, so it uses nothing outside of this function.
 */
async function attack(frames: readonly unknown[], target: string): Promise<void> {
  const to = target === '' ? [] : [target];
  const heard: unknown[] = [];
  const hear = (answer: unknown): void => {
    // A content script of the extension is notified that it is refused.
    const isRefusal = JSON.stringify(answer) === '[{"kind":"refused","id":0}]';
    if (answer !== undefined && !isRefusal) heard.push(answer);
  };
  const runtime = chrome.runtime as unknown as {
    connect(...to: readonly unknown[]): ReturnType<typeof chrome.runtime.connect>;
    sendMessage(...to: readonly unknown[]): Promise<unknown>;
  };
  const callOverPort = (frame: unknown): Promise<void> =>
    new Promise((resolve) => {
      const port = runtime.connect(...to, { name: 'messaging' });
      port.onMessage.addListener(hear);
      port.onDisconnect.addListener(() => {
        void chrome.runtime.lastError;
        resolve();
      });
      port.postMessage([frame]);
    });

  await Promise.all(
    frames.flatMap((frame) => [callOverPort(frame), runtime.sendMessage(...to, frame).then(hear, () => {})]),
  );
  document.title = JSON.stringify(heard);
}
