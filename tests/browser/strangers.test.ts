import { expect, inject, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { nameHelper, type RunningExtension, type View } from '../../scripts/browsers/running-extension.ts';
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

/** Rounds of 400 calls: 320 over eight ports, and 80 as messages. */
const ROUNDS = 5;
const UNHEARD = { calls: ROUNDS * 400, closed: ROUNDS * 8, heard: [] };

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
])(
  'answers none of 2,000 calls of %s, and its worker and its stored state are as before',
  async (_who, launch, attacker) => {
    const extension = await launch();
    const options = await openPreferences(extension);
    await options.evaluate(watchWorker);
    const before = await options.evaluate(() => chrome.storage.local.get(null));

    const page = await extension.open(await attacker(extension));

    expect(await reportOf(page)).toEqual(UNHEARD);
    expect(await options.evaluate(() => chrome.storage.local.get(null))).toEqual(before);
    expect(await options.evaluate(() => document.body.dataset['lost'])).toBeUndefined();
    // Each refused caller is logged once.
    const texts = (await extension.readConsole()).map(({ text }) => text);
    expect(texts.filter((text) => !text.includes('A caller was refused'))).toEqual([]);
  },
);

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

/** Runs in a page of the extension. Sets `data-lost` of the body when the worker ends. */
function watchWorker(): void {
  const port = chrome.runtime.connect({ name: 'messaging' });
  port.onDisconnect.addListener(() => (document.body.dataset['lost'] = 'lost'));
}

async function reportOf(page: View): Promise<unknown> {
  return JSON.parse(await page.waitFor(() => document.title.startsWith('{') && document.title)) as unknown;
}

/** Returns the source of a script that attacks the extension with this id, or its own extension for ''. */
function attackOn(target: string): string {
  return `{ ${nameHelper} (${attack.toString()})(...${JSON.stringify([FRAMES, target, ROUNDS])}); }`;
}

/**
 * Makes rounds of calls, four in five over ports and the rest as messages, and writes a report into the title of the page. It
 * runs in the browser, so it uses nothing outside of this function.
 */
async function attack(frames: readonly unknown[], target: string, rounds: number): Promise<void> {
  const to = target === '' ? [] : [target];
  const report = { calls: 0, closed: 0, heard: [] as unknown[] };
  const hear = (answer: unknown): void => {
    // A content script of the extension is notified that it is refused.
    const isRefusal = JSON.stringify(answer) === '[{"kind":"refused","id":0}]';
    if (answer !== undefined && !isRefusal && report.heard.length < 5) report.heard.push(answer);
  };
  const runtime = chrome.runtime as unknown as {
    connect(...to: readonly unknown[]): ReturnType<typeof chrome.runtime.connect>;
    sendMessage(...to: readonly unknown[]): Promise<unknown>;
  };

  const callOverPort = (): Promise<void> =>
    new Promise((resolve) => {
      const port = runtime.connect(...to, { name: 'messaging' });
      port.onMessage.addListener(hear);
      port.onDisconnect.addListener(() => {
        void chrome.runtime.lastError;
        report.closed += 1;
        resolve();
      });
      for (let count = 0; count < 40; count += 1) {
        port.postMessage([frames[count % frames.length]]);
        report.calls += 1;
      }
    });
  const callByMessage = async (index: number): Promise<void> => {
    report.calls += 1;
    await runtime.sendMessage(...to, frames[index % frames.length]).then(hear, () => {});
  };

  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: 8 }, callOverPort));
    await Promise.all(Array.from({ length: 80 }, (_, index) => callByMessage(index)));
  }
  document.title = JSON.stringify(report);
}
