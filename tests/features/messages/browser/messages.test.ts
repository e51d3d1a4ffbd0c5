import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../../../scripts/browsers/running-extension.ts';
import { pages } from '../../../../src/callers.ts';
import { launchBuiltExtension } from '../../../support/built-extension.ts';
import { findLayoutFaults, findViolations } from '../../../support/inspect-page.ts';
import { launchFilled, openFilled, tabTo, walkByTab } from '../../../support/keyboard.ts';
import { catchDownloads, pressButton } from '../../../support/page-actions.ts';

/** Stored state with which recording is on. */
const ON = { recording: { version: 1, data: { isOn: true } } };

/** Rows, without the head of the table. */
const ROW = 'tbody tr';

it('records the calls of all pages once it is switched on, and saves them as a file', async () => {
  const extension = await launchBuiltExtension();
  const options = await openRecording(extension);
  // The call that wakes the worker is recorded too.
  await extension.stopWorker();
  await extension.openPopup();

  const openStream = await options.waitFor((row) => {
    const texts = [...document.querySelectorAll(row)].map(({ textContent }) => textContent);
    return texts.find((text) => /preferences\.watch.*popup.*Open$/.test(text));
  }, ROW);
  const starts = await options.evaluate(() => document.body.innerText.split('Background started').length - 1);
  await options.evaluate(catchDownloads);
  await pressButton(options, 'Save as a file');
  const saved = JSON.parse(await options.waitFor(() => document.body.dataset['saved'])) as Record<
    string,
    unknown
  >;
  await options.waitFor(() => /Saved\. Look for \S+-messages-/.test(document.body.textContent));
  await pressButton(options, 'Pause');
  await pressButton(options, 'Clear messages');
  await options.waitFor(() => !document.body.textContent.includes('Background started'));
  await pressButton(options, 'Resume');
  await options.evaluate(askMany, 500);
  await options.waitFor((row) => document.querySelectorAll(row).length > 490, ROW);

  expect(openStream).toMatch(/preferences\.watchsubscriptionpopup \d1Open$/);
  expect(starts).toBe(2);
  expect(saved['starts']).toHaveLength(2);
  expect(saved['open']).toContainEqual({
    number: expect.any(Number),
    startedAt: expect.any(Number),
    caller: 'popup',
    connection: expect.any(Number),
    hasFailed: false,
    kind: 'subscription',
    name: 'preferences.watch',
    outcome: 'open',
    at: expect.any(Number),
    attempts: 1,
  });
  expect(await extension.readConsole()).toEqual([]);
});

/** Number of messages in each round. In the soak, all rounds are an hour at 100 a second. */
const steps = inject('isSoak') ? Array.from({ length: 6 }, () => 60_000) : [1_500];

/** Bytes by which the page may grow after the first step. */
const GROWTH = 3 * 1024 * 1024;

it('shows the latest 500 messages, and in the soak in Chromium does not grow with the messages', async () => {
  const extension = await launchBuiltExtension();
  const options = await openRecording(extension);

  const heaps: number[] = [];
  for (const made of steps) {
    // The calls are made in portions, so that the open view receives all of them.
    for (let count = 0; count < made; count += 500) await options.evaluate(askMany, 500);
    // Firefox does not report the heap, so it is 0 there.
    heaps.push((await options.measureHeap()) ?? 0);
  }
  await options.waitFor((row) => document.querySelectorAll(row).length === 500, ROW);

  console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ steps, heaps })}`);
  expect((heaps[0] ?? 0) > 0).toBe(inject('browserName') === 'chromium');
  expect(Math.max(...heaps)).toBeLessThan((heaps[0] ?? 0) + GROWTH);
  expect(await extension.readConsole()).toEqual([]);
});

it('Tab reaches everything while messages are shown', async () => {
  const extension = await launchFilled(ON);
  const page = await openFilled(extension, `${pages.options}#/messages`);
  await page.waitFor((row) => document.querySelector(row) !== null, ROW);
  await pressButton(page, 'Pause');

  const { reached, expected } = await walkByTab(page);

  expect(reached).toEqual(expected);
});

it('the table can be scrolled by keys alone', async () => {
  const extension = await launchFilled(ON);
  const page = await openFilled(extension, `${pages.options}#/messages`);
  await page.evaluate(askMany, 100);
  await page.waitFor((row) => document.querySelectorAll(row).length > 100, ROW);
  await pressButton(page, 'Pause');

  const faults = [...(await findViolations(page)), ...(await page.evaluate(findLayoutFaults))];
  await tabTo(page, 'Recorded messages');
  await page.press('End');
  await page.waitFor(() => (document.activeElement?.scrollTop ?? 0) > 0);

  expect(faults).toEqual([]);
});

/** Opens the view and switches the recording on. */
async function openRecording(extension: RunningExtension): Promise<View> {
  const options = await extension.open(`${pages.options}#/messages`);
  await options.waitFor(() => document.body.textContent.includes('Recording is off.'));
  await options.click('input[type=checkbox]');
  await options.waitFor(() => document.body.textContent.includes('Saved.'));
  return options;
}

/** Runs in the page. Makes many calls at once over a further port, and then gives the view a moment to receive the records. */
async function askMany(count: number): Promise<void> {
  const port = chrome.runtime.connect({ name: 'messaging' });
  let answers = 0;
  await new Promise<void>((resolve) => {
    port.onMessage.addListener((message) => {
      const frames = [message].flat() as { kind: string }[];
      answers += frames.filter(({ kind }) => kind === 'value').length;
      if (answers === count) resolve();
    });
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    const call = { kind: 'query', name: 'extension.info', attempt: 1, timeout: 30_000 };
    port.postMessage(ids.map((id) => Object.assign({ id }, call)));
  });
  port.disconnect();
  await new Promise((resolve) => setTimeout(resolve, 300));
}
