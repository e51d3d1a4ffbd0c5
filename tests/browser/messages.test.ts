import { expect, it } from 'vitest';

import { catchDownloads } from '../support/catch-downloads.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { recordMessages, sendMany, showMany } from '../support/show-messages.ts';

const ROW = '[role=row][data-open]';

it('records nothing until it is told to, then shows what passes, filtered, paused, cleared and saved', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/messages');
  await options.waitFor(() => document.body.textContent.includes('Nothing is recorded.'));
  await recordMessages(options);
  // What wakes a worker is recorded as well.
  await extension.stopWorker();

  const popup = await extension.openPopup();
  await popup.waitFor(() => document.body.textContent.includes('0 of 9 points specified'));
  await options.waitFor((row) => document.querySelector(row) !== null, ROW);
  await options.evaluate(choose, 'Caller', 'popup');
  const callers = await options.waitFor((row) => {
    const shown = [...document.querySelectorAll(row)].map((each) => each.children[3]?.textContent);
    return shown.every((caller) => caller === 'popup') && shown;
  }, ROW);
  await options.evaluate(press, 'points.specified');
  const timeline = await options.waitFor(() => document.querySelector('section ol')?.textContent);
  await options.evaluate(catchDownloads);
  await options.evaluate(press, 'Save as a file');
  const exported = JSON.parse(await options.waitFor(() => document.body.dataset['saved']));
  await options.evaluate(press, 'Pause');
  await options.evaluate(press, 'Clear');
  await options.waitFor(() => document.body.textContent.includes('Nothing recorded yet.'));
  await options.evaluate(press, 'Go on');
  await sendMany(options, 500);
  await options.evaluate(choose, 'Caller', '');
  await options.waitFor((row) => document.querySelector(row) !== null, ROW);

  expect(callers.length).toBeGreaterThan(0);
  expect(timeline).toMatch(/^Asked by popup as a query.*Ended in value after [\d.]+ ms/);
  expect(exported).toContainEqual({
    number: expect.any(Number),
    caller: 'popup',
    kind: 'query',
    name: 'points.specified',
    outcome: 'value',
    at: expect.any(Number),
    duration: expect.any(Number),
    attempts: 1,
  });
  expect(await extension.readConsole()).toEqual([]);
});

it('has only the rows that are seen in the document', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/messages');
  await recordMessages(options);

  const { shown, rows, last, count } = await showMany(options, 1_500);

  expect(shown).toBeGreaterThan(1_000);
  expect(rows).toBeLessThan(60);
  expect(last).toBe(count);
  // Firefox remarks on every list that draws its rows as it is scrolled.
  const console = await extension.readConsole();
  expect(console.filter(({ text }) => !text.includes('scroll-linked'))).toEqual([]);
});

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
