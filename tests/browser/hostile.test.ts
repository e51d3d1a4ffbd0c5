import { setTimeout as sleep } from 'node:timers/promises';

import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { attack } from '../support/attack.ts';
import type { AttackReport } from '../support/attack.ts';
import { browserScript } from '../support/browser-script.ts';
import { buildWatchedExtension } from '../support/build-watched-extension.ts';
import { everyCall } from '../support/every-call.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { servePage } from '../support/serve-page.ts';
import { writeExtension } from '../support/write-extension.ts';

/** How a hostile script says what is meant for another: the wake-up signal among it, and names of prototypes. */
const frames = [...everyCall, { kind: 'awake' }, { kind: 'value', id: 1, value: 1 }, { name: '__proto__' }];
const nothingHeard = { calls: 10_000, opened: 200, closed: 200, heard: [] };

it('answers none of 10,000 calls of a content script, and its worker goes on as before', async () => {
  const folder = await buildWatchedExtension({ contentScript: browserScript(attack, frames, '') });
  const extension = await launchBuiltExtension(folder);
  const options = await extension.open('options.html');
  const before = await observe(options);

  const report = await reportOf(await extension.open(await servePage()));

  expect(report).toEqual(nothingHeard);
  expect(await observe(options)).toEqual(before);
  expect(await extension.readConsole()).toEqual([]);
});

it('answers none of 10,000 calls of another extension, and its worker goes on as before', async () => {
  const extension = await launchBuiltExtension(await buildWatchedExtension());
  const options = await extension.open('options.html');
  const before = await observe(options);
  const id =
    inject('browserName') === 'firefox' ? 'core@extension.invalid' : new URL(extension.origin).hostname;
  const { origin } = await extension.installExtension(
    await writeExtension(
      { name: 'Stranger', browser_specific_settings: { gecko: { id: 'stranger@extension.invalid' } } },
      {
        'attack.js': browserScript(attack, frames, id),
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
  for (let second = 0; second < 90; second += 1) {
    const title = await page.evaluate(() => document.title);
    if (title.startsWith('{')) return JSON.parse(title) as AttackReport;
    await sleep(1_000);
  }
  throw new Error('The attack did not end within 90 s');
}
