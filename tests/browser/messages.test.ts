import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/view.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';

const ROW = '[role=row][data-open]';

it('records nothing until it is told to, then shows what passes, filtered, paused, cleared and exported', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/messages');
  await options.waitFor(() => document.body.textContent.includes('Messages are not being recorded.'));
  await recordMessages(options);

  const popup = await extension.openPopup();
  await popup.waitFor(() => document.body.textContent.includes('0 of 9 points specified'));
  await options.waitFor((row) => document.querySelector(row) !== null, ROW);
  await options.evaluate(choose, 'Caller', 'popup');
  const callers = await options.waitFor((row) => {
    const shown = [...document.querySelectorAll(row)].map((each) => each.children[2]?.textContent);
    return shown.every((caller) => caller === 'popup') && shown;
  }, ROW);
  await options.evaluate(press, 'extension.info');
  const timeline = await options.waitFor(() => document.querySelector('section ol')?.textContent);
  await options.evaluate(catchDownload);
  await options.evaluate(press, 'Export');
  const exported = JSON.parse(await options.waitFor(() => document.body.dataset['saved']));
  await options.evaluate(press, 'Pause');
  await options.evaluate(press, 'Clear');
  await options.waitFor(() => document.body.textContent.includes('Nothing recorded yet.'));

  expect(callers.length).toBeGreaterThan(0);
  expect(timeline).toMatch(/^Asked by popup as a query.*Ended in value after [\d.]+ ms/);
  expect(exported).toContainEqual({
    number: expect.any(Number),
    caller: 'popup',
    kind: 'query',
    name: 'extension.info',
    outcome: 'value',
    at: expect.any(Number),
    duration: expect.any(Number),
    attempts: 1,
    bytes: expect.any(Number),
  });
  expect(await extension.readConsole()).toEqual([]);
});

it('keeps ten thousand messages at most, and only the rows that are seen in the document', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/messages');
  await recordMessages(options);
  const caller = await extension.open('src/options/index.html#/about');

  for (let round = 0; round < 12; round += 1) await caller.evaluate(askMany, 1_000);
  // What is hidden is not drawn.
  await caller.close();

  const shown = await options.waitFor((row) => {
    const [, count = '0'] = /([\d,]+) messages/.exec(document.body.textContent) ?? [];
    const rows = document.querySelectorAll(row).length;
    return Number(count.replace(',', '')) > 5_000 && { count: Number(count.replace(',', '')), rows };
  }, ROW);
  const scrolled = await options.evaluate(async (row) => {
    const scroller = document.querySelector('[role=rowgroup][tabindex]');
    scroller?.scrollTo(0, scroller.scrollHeight);
    await new Promise((resolve) => setTimeout(resolve, 300));
    return [...document.querySelectorAll(row)].map((each) => Number(each.getAttribute('aria-rowindex')));
  }, ROW);
  expect(shown.count).toBeLessThanOrEqual(10_000);
  expect(shown.rows).toBeLessThan(60);
  expect(Math.max(...scrolled)).toBe(shown.count + 1);
  expect(await extension.readConsole()).toEqual([]);
});

/** Switches the recording on in the preferences and comes back to the messages. */
async function recordMessages(options: View): Promise<void> {
  await options.evaluate(() => location.assign('#/preferences'));
  await options.waitFor(() => document.querySelector('input[type=checkbox]') !== null);
  await options.click('input[type=checkbox]');
  await options.waitFor(() => document.body.textContent.includes('Saved.'));
  await options.evaluate(() => location.assign('#/messages'));
}

/** Asks the worker many times at once, over a port of the page's own. */
async function askMany(count: number): Promise<void> {
  const port = chrome.runtime.connect();
  let answers = 0;
  await new Promise<void>((resolve) => {
    port.onMessage.addListener((frame) => {
      if ((frame as { kind: string }).kind === 'value') answers += 1;
      if (answers === count) resolve();
    });
    for (let id = 1; id <= count; id += 1) {
      port.postMessage({ kind: 'query', id, name: 'extension.info', attempt: 1, timeout: 30_000 });
    }
  });
  port.disconnect();
}

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

/** Lets the next download end in `data-saved` and not in a file. */
function catchDownload(): void {
  HTMLAnchorElement.prototype.click = function click(): void {
    void read(this.href);
  };
  async function read(address: string): Promise<void> {
    document.body.dataset['saved'] = await (await fetch(address)).text();
  }
}
