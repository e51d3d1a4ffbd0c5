import { expect, inject, it } from 'vitest';

import { nameHelper } from '../../scripts/browsers/running-extension.ts';
import type { View } from '../../scripts/browsers/running-extension.ts';
import { buildWatchedExtension, launchBuiltExtension, writeExtension } from '../support/built-extension.ts';
import { everyCall } from '../support/every-call.ts';
import { servePage } from '../support/web-page.ts';

/** How a hostile script says what is meant for another: the wake-up signal among it, and names of prototypes. */
const FRAMES = [...everyCall, { kind: 'awake' }, { kind: 'value', id: 1, value: 1 }, { name: '__proto__' }];
/** Of 400 calls each. */
const ROUNDS = 5;
const nothingHeard = { calls: ROUNDS * 400, opened: ROUNDS * 8, closed: ROUNDS * 8, heard: [] };

it('answers none of 2,000 calls of a content script, and its worker goes on as before', async () => {
  const folder = await buildWatchedExtension({ contentScript: browserScript(attack, FRAMES, '', ROUNDS) });
  const extension = await launchBuiltExtension(folder);
  const options = await extension.open('options.html');
  const before = await observe(options);

  const report = await reportOf(await extension.open(await servePage()));

  expect(report).toEqual(nothingHeard);
  expect(await observe(options)).toEqual(before);
  expect(await extension.readConsole()).toEqual([]);
});

it('answers none of 2,000 calls of another extension, and its worker goes on as before', async () => {
  const extension = await launchBuiltExtension(await buildWatchedExtension());
  const options = await extension.open('options.html');
  const before = await observe(options);
  const id =
    inject('browserName') === 'firefox' ? 'core@extension.invalid' : new URL(extension.origin).hostname;
  const { origin } = await extension.installExtension(
    await writeExtension(
      { name: 'Stranger', browser_specific_settings: { gecko: { id: 'stranger@extension.invalid' } } },
      {
        'attack.js': browserScript(attack, FRAMES, id, ROUNDS),
        'page.html': '<!doctype html><title>Stranger</title><script src="attack.js"></script>',
      },
    ),
  );

  const report = await reportOf(await extension.open(`${origin}/page.html`));

  expect(report).toEqual(nothingHeard);
  expect(await observe(options)).toEqual(before);
  expect(await extension.readConsole()).toEqual([]);
});

/** The worker's life, how often its handlers were called, and all that is stored. */
async function observe(options: View): Promise<unknown> {
  return options.evaluate(async () => [
    await watched.query('worker.facts'),
    await chrome.storage.local.get(null),
  ]);
}

async function reportOf(page: View): Promise<AttackReport> {
  const report = await page.waitFor(() => document.title.startsWith('{') && document.title);
  return JSON.parse(report) as AttackReport;
}

/** What a hostile script saw. */
interface AttackReport {
  readonly calls: number;
  /** Ports that the other end closed, of those that were opened. */
  readonly closed: number;
  readonly opened: number;
  /** Whatever was answered, at most five of it. */
  readonly heard: readonly unknown[];
}

/**
 * Makes so many rounds of calls, four in five over ports and the rest as messages, to the extension with this id or, for '', the
 * script's own, and writes its report into the title of the page. Runs in the browser: refers to nothing outside itself.
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
      const port = target === '' ? chrome.runtime.connect() : chrome.runtime.connect(target);
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
  document.title = JSON.stringify({ calls, closed, opened, heard } satisfies AttackReport);
}

/** Source of a script that calls a function with these arguments. The function must not refer to anything outside itself. */
function browserScript<Args extends readonly unknown[]>(
  run: (...args: Args) => unknown,
  ...args: Args
): string {
  return `{ ${nameHelper} (${run.toString()})(...${JSON.stringify(args)}); }`;
}
