import { expect, inject, it } from 'vitest';

import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { recordMessages, sendMany, showMany } from '../support/show-messages.ts';

/** Messages of an hour at 100 a second, in steps of ten minutes. */
const STEP = 60_000;
const STEPS = 6;

/** Bytes by which the page may grow from the first step to any other. */
const GROWTH = 3 * 1024 * 1024;

it('holds ten thousand messages at most, and only the rows that are seen in the document', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/messages');
  await recordMessages(options);

  const { shown, rows, last, count } = await showMany(options, 15_000);

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ messages: 15_000, shown, rows })}`);
  expect(shown).toBe(10_000);
  expect(rows).toBeLessThan(60);
  expect(last).toBe(count);
});

it('does not grow with an hour of messages at 100 a second, and still answers', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/messages');
  await recordMessages(options);
  const start = performance.now();

  const heaps: (number | undefined)[] = [];
  while (heaps.length < STEPS) {
    await sendMany(options, STEP);
    heaps.push(await options.measureHeap());
  }
  const perSecond = Math.round((STEPS * STEP) / ((performance.now() - start) / 1_000));
  const { shown, rows, last, count } = await showMany(options, 500);

  console.log(
    `measured: ${inject('browserName')}: ${JSON.stringify({ messages: STEPS * STEP, perSecond, heaps, shown, rows })}`,
  );
  const [first = 0, ...later] = heaps.map((heap) => heap ?? 0);
  // Firefox does not tell, which must not pass for zero in Chromium.
  expect(first > 0).toBe(inject('browserName') === 'chromium');
  expect(Math.max(...later)).toBeLessThan(first + GROWTH);
  expect(shown).toBe(10_000);
  expect(rows).toBeLessThan(60);
  expect(last).toBe(count);
  await options.evaluate(() => location.assign('#/about'));
  await options.waitFor(() => document.body.textContent.includes(chrome.runtime.getManifest().version));
});
