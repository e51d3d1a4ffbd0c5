import { expect, inject, it } from 'vitest';

import { launchBuiltExtension } from '../support/built-extension.ts';
import { catchDownloads, recordMessages, sendMany, showMany } from '../support/page-actions.ts';

/** Messages that the view holds at most. */
const MOST = 10_000;

const ROW = '[role=row][data-open]';

it('records nothing until it is switched on, then shows calls, which can be filtered, paused, cleared and saved', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/messages');
  await options.waitFor(() => document.body.textContent.includes('Recording is off.'));
  await recordMessages(options);
  // What wakes a worker is recorded as well.
  await extension.stopWorker();

  const popup = await extension.openPopup();
  await popup.waitFor(() => document.body.textContent.includes('questions answered'));
  await options.waitFor((row) => document.querySelector(row) !== null, ROW);
  await options.evaluate(choose, 'Caller', 'popup');
  const callers = await options.waitFor((row) => {
    const shown = [...document.querySelectorAll(row)].map((each) => each.children[3]?.textContent);
    return shown.every((caller) => caller === 'popup') && shown;
  }, ROW);
  await options.evaluate(press, 'questions.count');
  const timeline = await options.waitFor(() => document.querySelector('section ol')?.textContent);
  await options.evaluate(catchDownloads);
  await options.evaluate(press, 'Save as a file');
  const exported = JSON.parse(await options.waitFor(() => document.body.dataset['saved']));
  await options.evaluate(press, 'Pause');
  await options.evaluate(press, 'Clear');
  await options.waitFor(() => document.body.textContent.includes('Nothing recorded yet.'));
  await options.evaluate(press, 'Resume');
  await sendMany(options, 500);
  await options.evaluate(choose, 'Caller', '');
  await options.waitFor((row) => document.querySelector(row) !== null, ROW);

  expect(callers.length).toBeGreaterThan(0);
  expect(timeline).toMatch(/^Sent by popup as a query.*Ended with value after [\d.]+ ms/);
  expect(exported).toContainEqual({
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
  const options = await extension.open('src/options/index.html#/messages');
  await recordMessages(options);

  const made = inject('isSoak') ? 15_000 : 1_500;

  const { shown, rows, last, count } = await showMany(options, made);

  expect(shown).toBeGreaterThan(Math.min(made / 2, MOST - 1));
  expect(shown).toBeLessThanOrEqual(MOST);
  expect(rows).toBeLessThan(60);
  expect(last).toBe(count);
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
    // Firefox does not report it, which must not pass for zero in Chromium.
    expect(first > 0).toBe(inject('browserName') === 'chromium');
    expect(Math.max(...later)).toBeLessThan(first + GROWTH);
    expect(shown).toBe(MOST);
    expect(rows).toBeLessThan(60);
    expect(last).toBe(count);
    await options.evaluate(() => location.assign('#/about'));
    await options.waitFor(() => document.body.textContent.includes(chrome.runtime.getManifest().version));
  },
);

function choose(label: string, value: string): void {
  const labels = [...document.querySelectorAll('label')];
  const select = labels.find(({ textContent }) => textContent.startsWith(label))?.querySelector('select');
  if (select === null || select === undefined) throw new Error(`There is no ${label} to choose.`);
  select.value = value;
  select.dispatchEvent(new Event('change', { bubbles: true }));
}

function press(label: string): void {
  const buttons = [...document.querySelectorAll('button')];
  const button = buttons.find(({ textContent }) => textContent === label);
  if (button === undefined) throw new Error(`There is no ${label} to press.`);
  button.click();
}
