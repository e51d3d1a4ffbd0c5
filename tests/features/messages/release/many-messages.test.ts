import { expect, inject, it } from 'vitest';

import { pages } from '../../../../src/callers.ts';
import { launchBuiltExtension } from '../../../support/built-extension.ts';
import { findLayoutFaults, findViolations } from '../../../support/inspect-page.ts';
import { launchFilled, openFilled, tabTo, walkByTab } from '../../../support/keyboard.ts';
import { pressButton } from '../../../support/page-actions.ts';

const VIEW = `${pages.options}#/messages`;

/** Rows, without the head of the table. */
const ROW = 'tbody tr';

/** Number of messages in each round. In the soak, all rounds are an hour at 100 a second. */
const steps = inject('size') === 'soak' ? Array.from({ length: 6 }, () => 60_000) : [600];

/** Bytes by which the page may grow after the first step. */
const GROWTH = 3 * 1024 * 1024;

it('shows the latest 500 messages, and in the soak in Chromium does not grow with the messages', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open(VIEW);

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

it('the table of messages can be scrolled by keys alone, and Tab reaches everything', async () => {
  const extension = await launchFilled();
  const page = await openFilled(extension, VIEW);
  await page.evaluate(askMany, 100);
  await page.waitFor((row) => document.querySelectorAll(row).length > 100, ROW);
  await pressButton(page, 'Pause');

  const faults = [...(await findViolations(page)), ...(await page.evaluate(findLayoutFaults))];
  await tabTo(page, 'Recorded messages');
  await page.press('End');
  await page.waitFor(() => (document.activeElement?.scrollTop ?? 0) > 0);
  const { reached, expected } = await walkByTab(page);

  expect(faults).toEqual([]);
  expect(reached).toEqual(expected);
});

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
    port.postMessage(ids.map((id) => ({ id, ...call })));
  });
  port.disconnect();
  await new Promise((resolve) => setTimeout(resolve, 300));
}
