import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { pickTheme } from '../support/page-actions.ts';

/** Seconds for which the worker must stay asleep. */
const SECONDS = { daily: 3, release: 30, soak: 300 }[inject('size')];

it('lets the worker sleep while pages are open, and resumes their subscriptions when it wakes', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open(`${pages.options}#/preferences`);
  const popup = await extension.openPopup();
  for (const page of [options, popup]) await page.waitFor(() => document.body.textContent.includes('Ready'));

  const start = performance.now();
  // One question a second is enough, because the browser ends an idle worker after half a minute.
  while (await extension.isWorkerRunning()) await sleep(1_000);
  const sleptAfter = Math.round(performance.now() - start);
  let wakeUps = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    await sleep(1_000);
    if (await extension.isWorkerRunning()) wakeUps += 1;
  }

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ sleptAfter, SECONDS })}`);
  expect(wakeUps).toBe(0);
  // The popup shows the state of the background only after a failure, but its element is in the document.
  for (const page of [options, popup]) {
    expect(await page.evaluate(() => document.body.textContent)).toContain('Idle until needed');
  }
  // The first change wakes the background.
  for (const [label, theme] of [
    ['Dark', 'dark'],
    ['Light', 'light'],
  ] as const) {
    await pickTheme(options, label);
    await popup.waitFor((chosen) => document.documentElement.dataset['theme'] === chosen, theme);
  }
  expect(await extension.readConsole()).toEqual([]);
});
