import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { launchWires } from '../support/built-extension.ts';
import { createPortPair, senderOf } from '../support/memory-world.ts';
import { awkwardValues, describeCopy } from '../support/wire-extension/values.ts';

// What tests/support/memory-world.ts claims of ports and senders.

const isChromium = inject('browserName') === 'chromium';

it('carries messages as the memory world claims', async () => {
  const { extension, page } = await launchWires();

  expect(await describedByBrowser(page), 'a message is copied').toEqual(await describedByWorld());
  expect(await echoed(page), 'messages arrive whole and in order').toEqual(
    Array.from({ length: 500 }, (_, index) => [index, lengthOf(index)]),
  );
  expect(await heardBeforeLoss(page), 'what was posted before a disconnect arrives, nothing after').toEqual([
    'one',
    'two',
    'three',
  ]);
  expect(await lossesOfLeaving(page), 'a disconnect notifies the other end, not its own').toEqual([0, 1]);
  expect(await lossesAfterClosing(extension, page), 'a closed page notifies the worker').toBe(2);
});

it('names senders as the memory world claims', async () => {
  const { extension, page } = await launchWires();
  const popup = await extension.openPopup();
  const { origin } = extension;
  const id = isChromium ? new URL(origin).hostname : 'core@extension.invalid';

  const senders = [await senderSeen(page), await senderSeen(popup)];

  expect(senders, 'id, origin and address are given for own pages').toEqual([
    { id, origin, url: `${origin}/options.html` },
    { id, origin, url: `${origin}/popup.html` },
  ]);
  expect(Object.keys(senderOf('popup'))).toEqual(['id', 'origin', 'url']);
});

function describedByBrowser(page: View): Promise<unknown> {
  return page.evaluate(() => wires.open().ask('describe', wires.awkwardValues()));
}

async function describedByWorld(): Promise<unknown> {
  const [near, far] = createPortPair(isChromium ? 'json' : 'clone');
  const arrived = new Promise<unknown>((resolve) => near.onMessage(resolve));
  far.post(awkwardValues());
  // As what the page says comes back.
  return JSON.parse(JSON.stringify(describeCopy(await arrived))) as unknown;
}

/** Characters of the message with this number: every fiftieth is a large one. */
function lengthOf(index: number): number {
  return `${index} `.length + (index % 50 === 0 ? 300_000 : index);
}

/** Number and length of each message that came back, as they came. */
function echoed(page: View): Promise<number[][]> {
  return page.evaluate(async () => {
    const { order, ask, heard } = wires.open();
    for (let index = 0; index < 500; index += 1) {
      order('echo', `${index} ${'x'.repeat(index % 50 === 0 ? 300_000 : index)}`);
    }
    await ask('echo', 'last');
    while (heard.at(-1) !== 'last') await new Promise((resolve) => setTimeout(resolve, 10));
    return heard.slice(0, -1).map((text) => [Number.parseInt(String(text), 10), String(text).length]);
  });
}

function heardBeforeLoss(page: View): Promise<readonly unknown[]> {
  return page.evaluate(async () => {
    const wire = wires.open();
    wire.order('leave');
    while (!wire.isLost()) await new Promise((resolve) => setTimeout(resolve, 10));
    wire.order('echo', 'lost');
    await wires.open().ask('echo', 'later');
    return wire.heard;
  });
}

/** How many ends were notified on this side and on the worker's. */
async function lossesOfLeaving(page: View): Promise<[number, number]> {
  await page.evaluate(async () => {
    const leaving = wires.open();
    wires.kept.push(leaving);
    await leaving.ask('echo', 1);
    leaving.disconnect();
  });
  const told = await lossesTold(page, 1);
  return [await page.evaluate(() => wires.kept.filter(({ isLost }) => isLost()).length), told];
}

async function lossesAfterClosing(extension: RunningExtension, page: View): Promise<number> {
  const closing = await extension.open('options.html');
  await closing.evaluate(() => wires.open().ask('echo', 1));
  await closing.close();
  return lossesTold(page, 2);
}

/** How many lost ends the worker knows of, as soon as they are that many. */
function lossesTold(page: View, least: number): Promise<number> {
  return page.waitFor(async (expected) => {
    const told = Number(await wires.open().ask('lost'));
    return told >= expected && told;
  }, least);
}

function senderSeen(page: View): Promise<unknown> {
  return page.evaluate(() => wires.open().ask('sender'));
}
