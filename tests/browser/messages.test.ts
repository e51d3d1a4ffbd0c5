import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/contract/pages.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { catchDownloads, pressButton } from '../support/page-actions.ts';

/** Messages that the view holds at most. */
const MOST = 10_000;

const ROW = '[role=row][data-open]';

it('records nothing until it is switched on, then what any page calls, which can be saved', async () => {
  const extension = await launchBuiltExtension();
  const options = await openRecording(extension);
  // What wakes a worker is recorded as well.
  await extension.stopWorker();
  await extension.openPopup();

  await pressButton(options, 'questions.count');
  const timeline = await options.waitFor(() => document.querySelector('section ol')?.textContent);
  await options.evaluate(catchDownloads);
  await pressButton(options, 'Save as a file');
  const saved = JSON.parse(await options.waitFor(() => document.body.dataset['saved']));
  await pressButton(options, 'Pause');
  await pressButton(options, 'Clear');
  await options.waitFor(() => document.body.textContent.includes('Nothing recorded yet.'));
  await pressButton(options, 'Resume');
  await options.evaluate(askMany, 500);
  await options.waitFor((row) => document.querySelector(row) !== null, ROW);

  expect(timeline).toMatch(/^Sent by popup as a query.*Ended with value after [\d.]+ ms/);
  expect(saved).toContainEqual({
    number: expect.any(Number),
    caller: 'popup',
    kind: 'query',
    name: 'questions.count',
    outcome: 'value',
    at: expect.any(Number),
    duration: expect.any(Number),
    attempts: 1,
  });
  expect(await extension.readConsole()).toEqual([]);
});

it('renders only the visible rows', async () => {
  const extension = await launchBuiltExtension();
  const options = await openRecording(extension);
  const made = inject('isSoak') ? 15_000 : 1_500;

  await sendMany(options, made);

  const { shown, rows } = await lookAtRows(options, Math.min(made / 2, MOST - 1));
  expect(shown).toBeLessThanOrEqual(MOST);
  expect(rows).toBeLessThan(60);
  // Firefox remarks on every list that draws its rows as it is scrolled.
  const console = await extension.readConsole();
  expect(console.filter(({ text }) => !text.includes('scroll-linked'))).toEqual([]);
});

/** Messages of an hour at 100 a second, in steps of ten minutes. */
const STEP = 60_000;
const STEPS = 6;

/** Bytes by which the page may grow from the first step to any other. */
const GROWTH = 3 * 1024 * 1024;

it.runIf(inject('isSoak'))(
  'does not grow with an hour of messages at 100 a second, and still answers',
  async () => {
    const options = await openRecording(await launchBuiltExtension());
    const start = performance.now();

    const heaps: (number | undefined)[] = [];
    while (heaps.length < STEPS) {
      await sendMany(options, STEP);
      heaps.push(await options.measureHeap());
    }
    const perSecond = Math.round((STEPS * STEP) / ((performance.now() - start) / 1_000));
    const { shown, rows } = await lookAtRows(options, MOST - 1);

    console.log(
      `measured: ${inject('browserName')}: ${JSON.stringify({ messages: STEPS * STEP, perSecond, heaps, shown, rows })}`,
    );
    const [first = 0, ...later] = heaps.map((heap) => heap ?? 0);
    // Firefox does not report it, which must not pass for zero in Chromium.
    expect(first > 0).toBe(inject('browserName') === 'chromium');
    expect(Math.max(...later)).toBeLessThan(first + GROWTH);
    expect(shown).toBe(MOST);
    expect(rows).toBeLessThan(60);
    await options.evaluate(() => location.assign('#/about'));
    await options.waitFor(() => document.body.textContent.includes(chrome.runtime.getManifest().version));
  },
);

/** Opens the view and switches the recording on. */
async function openRecording(extension: RunningExtension): Promise<View> {
  const options = await extension.open(`${pages.options}#/messages`);
  await options.waitFor(() => document.body.textContent.includes('Recording is off.'));
  await options.click('input[type=checkbox]');
  await options.waitFor(() => document.body.textContent.includes('Saved.'));
  return options;
}

/** Makes so many messages for the open view to take, some hundreds at a time. */
async function sendMany(options: View, count: number): Promise<void> {
  for (let made = 0; made < count; made += 500) await options.evaluate(askMany, 500);
}

/**
 * Scrolls to the oldest message as soon as the view holds more than so many. Gives how many it then holds, and how many
 * rows were in the document before.
 */
function lookAtRows(
  options: View,
  least: number,
): Promise<{ readonly shown: number; readonly rows: number }> {
  return options.waitFor(
    (row, enough) => {
      const count = Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount'));
      const rows = [...document.querySelectorAll(row)];
      const last = Math.max(...rows.map((each) => Number(each.getAttribute('aria-rowindex'))));
      const scroller = document.querySelector('[role=rowgroup][tabindex]');
      scroller?.scrollTo(0, scroller.scrollHeight);
      // One of them is the head of the table.
      return count - 1 > enough && last === count && { shown: count - 1, rows: rows.length };
    },
    ROW,
    least,
  );
}

/** Asks the worker many times at once, over a port of the page's own, and waits until the view has had a moment to take the records. */
async function askMany(count: number): Promise<void> {
  const port = chrome.runtime.connect();
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
