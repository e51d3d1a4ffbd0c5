import { expect, inject, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { nameHelper } from '../../scripts/browsers/running-extension.ts';
import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension, withContentScript, writeExtension } from '../support/built-extension.ts';
import { openPreferences } from '../support/page-actions.ts';
import { servePage } from '../support/web-page.ts';

const isFirefox = inject('browserName') === 'firefox';
const call = { id: 1, attempt: 1, timeout: 1_000 };

/** What a hostile script says: calls, what is meant for another, the wake-up signal, and names of prototypes. */
const FRAMES = [
  { ...call, kind: 'query', name: 'extension.info' },
  { ...call, kind: 'subscription', name: 'preferences.watch' },
  {
    ...call,
    kind: 'mutation',
    name: 'preferences.update',
    input: { theme: 'dark' },
    page: 'p',
    sentAt: Date.now(),
  },
  { kind: 'awake' },
  { kind: 'value', id: 1, value: 1 },
  { name: '__proto__' },
];

/** Of 400 calls each. */
const ROUNDS = 5;

it.each<[who: string, start: () => Promise<readonly [RunningExtension, attacker: () => Promise<string>]>]>([
  [
    'a content script that bears the extension’s own id',
    async () => [await launchBuiltExtension(await withContentScript(attackOn(''))), servePage],
  ],
  ['a content script of another extension', async () => [(await launchWithStranger()).extension, servePage]],
  [
    'a page of another extension',
    async () => {
      const { extension, page } = await launchWithStranger();
      return [extension, async () => page];
    },
  ],
])('answers none of 2,000 calls of %s, and its worker goes on as before', async (_who, start) => {
  const [extension, attacker] = await start();
  const options = await openPreferences(extension);
  await options.evaluate(watchWorker);
  const before = await options.evaluate(() => chrome.storage.local.get(null));

  const page = await extension.open(await attacker());

  expect(await reportOf(page)).toEqual({
    calls: ROUNDS * 400,
    opened: ROUNDS * 8,
    closed: ROUNDS * 8,
    heard: [],
  });
  expect(await options.evaluate(() => chrome.storage.local.get(null))).toEqual(before);
  expect(await options.evaluate(() => document.body.dataset['lost'])).toBeUndefined();
  expect(await extension.readConsole()).toEqual([]);
});

it('answers no content script in a frame, and gives a web page no way to ask', async () => {
  const extension = await launchBuiltExtension(await withContentScript(attackOn('')));
  const page = await extension.open(await servePage());
  const framed = await servePage();

  const [inFrame, api] = await page.evaluate(async (src) => {
    const told = new Promise((resolve) => {
      addEventListener('message', ({ data }) => resolve(data));
    });
    const frame = document.createElement('iframe');
    frame.src = src;
    document.body.append(frame);
    const { chrome: given } = globalThis as { chrome?: { runtime?: { connect?: unknown } } };
    return [await told, typeof given?.runtime?.connect] as const;
  }, framed);

  expect(inFrame).toMatchObject({ calls: ROUNDS * 400, closed: ROUNDS * 8, heard: [] });
  expect(api).toBe('undefined');
});

/** The built extension, and next to it another one that attacks it from a page of its own and from web pages. */
async function launchWithStranger(): Promise<{
  readonly extension: RunningExtension;
  readonly page: string;
}> {
  const extension = await launchBuiltExtension();
  const id = isFirefox ? manifest.browser_specific_settings.gecko.id : new URL(extension.origin).hostname;
  const { origin } = await extension.installExtension(
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
  return { extension, page: `${origin}/page.html` };
}

/** Runs in a page of the extension: notes in `data-lost` of the body that the worker has ended. */
function watchWorker(): void {
  const port = chrome.runtime.connect();
  port.onDisconnect.addListener(() => (document.body.dataset['lost'] = 'lost'));
}

async function reportOf(page: View): Promise<unknown> {
  return JSON.parse(await page.waitFor(() => document.title.startsWith('{') && document.title)) as unknown;
}

/** Source of a script that attacks the extension with this id or, for '', its own. */
function attackOn(target: string): string {
  return `{ ${nameHelper} (${attack.toString()})(...${JSON.stringify([FRAMES, target, ROUNDS])}); }`;
}

/**
 * Makes so many rounds of calls, four in five over ports and the rest as messages, and writes its report into the title of the
 * page, or posts it to the page around it. Runs in the browser: refers to nothing outside itself.
 */
async function attack(frames: readonly unknown[], target: string, rounds: number): Promise<void> {
  const heard: unknown[] = [];
  let [calls, opened, closed] = [0, 0, 0];
  const hear = (answer: unknown): void => {
    void chrome.runtime.lastError;
    if (answer !== undefined && heard.length < 5) heard.push(answer);
  };

  function callOverPort(): Promise<void> {
    return new Promise((resolve) => {
      const port =
        target === ''
          ? chrome.runtime.connect({ name: 'options' })
          : chrome.runtime.connect(target, { name: 'options' });
      opened += 1;
      port.onMessage.addListener(hear);
      port.onDisconnect.addListener(() => {
        void chrome.runtime.lastError;
        closed += 1;
        resolve();
      });
      for (let count = 0; count < 40; count += 1) {
        port.postMessage([frames[count % frames.length]]);
        calls += 1;
      }
    });
  }
  async function callByMessage(frame: unknown): Promise<void> {
    calls += 1;
    await (
      target === '' ? chrome.runtime.sendMessage(frame) : chrome.runtime.sendMessage(target, frame)
    ).then(hear, () => {});
  }

  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: 8 }, callOverPort));
    await Promise.all(Array.from({ length: 80 }, (_, index) => callByMessage(frames[index % frames.length])));
  }
  const report = { calls, opened, closed, heard };
  if (window === top) document.title = JSON.stringify(report);
  else parent.postMessage(report, '*');
}
