import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { buildTestExtension, launchOwnBrowser, type OwnBrowser } from '../support/built-extension.ts';
import type { Background, Contents } from '../support/facts-extension/worker.ts';
import { canMountDisk, createSmallDisk, fill, free } from '../support/small-disk.ts';

/** Longest time in ms for which a background writes before it dies. */
const MAX_LIFE = 200;

type Death = 'stopped' | 'stopped in a loop' | 'updated' | 'updated in a loop' | 'killed with the browser';

it('F1: a background starts after the last write of the one before, and its first read sees all that survives', async () => {
  const deaths = [
    ...times<Death>(10, 'stopped'),
    'stopped in a loop',
    ...times<Death>(5, 'updated'),
    'updated in a loop',
    ...times<Death>(2, 'killed with the browser'),
  ] as const;
  let extension = await launchFacts();
  const backgrounds: Background[] = [];
  for (const death of deaths) {
    const page = await extension.open('options.html');
    backgrounds.push(await describeNext(page, backgrounds.at(-1)));
    await page.evaluate(wakeNext);
    await order(page, 'count');
    extension = await end(extension, page, death);
  }
  const page = await extension.open('options.html');
  backgrounds.push(await describeNext(page, backgrounds.at(-1)));

  const final = await order<Contents>(page, 'read');
  for (const store of ['storage.local', 'IndexedDB'] as const) {
    const gaps = deaths.map((death, index) => {
      const lastWrite = final[store][`count/${backgrounds[index]?.id}`];
      const next = backgrounds[index + 1];
      return [death, Number(next?.startedAt) - Number(String(lastWrite).split(' at ')[1])] as const;
    });
    console.log(`measured: ${inject('browserName')}: ${store}: ${JSON.stringify(gaps)} ${JSON.stringify(Object.values(final[store]))}`);
    expect(gaps.filter(([, gap]) => gap < 0)).toEqual([]);
    for (const [index, { first }] of backgrounds.entries()) {
      const before = backgrounds.slice(0, index).map(({ id }) => `count/${id}`);
      const kept = Object.entries(final[store]).filter(([key]) => before.includes(key));
      expect(first[store]).toEqual(Object.fromEntries(kept));
    }
  }
});

it('F2: when the browser is killed, the values of a `set` are all stored or none of them is', async () => {
  let extension = await launchFacts();
  const found: unknown[][] = [];
  for (let kill = 0; kill < 4; kill += 1) {
    const page = await extension.open('options.html');
    await order(page, 'writeFour');
    extension = await end(extension, page, 'killed with the browser');
    const { 'storage.local': stored } = await order<Contents>(await extension.open('options.html'), 'read');
    found.push(Object.values(stored).map((text) => String(text).split(' ')[0]));
  }

  console.log(`measured: ${inject('browserName')}: numbers of the last set at each kill: ${JSON.stringify(found)}`);
  for (const four of found) expect(four).toEqual(times(4, four[0]));
});

it.each([
  ['text', 'first'],
  ['long text', 'first'.repeat(60_000)],
  ['an object', { first: [1, 'first'] }],
  ['a large object', Object.fromEntries(times(10_000, 'first').map((value, index) => [`member ${index}`, value]))],
])('F3: reads, writes and removals of %s take effect in the order of the calls', async (_what, value) => {
  const page = await (await launchFacts()).open('options.html');
  for (let turn = 0; turn < 50; turn += 1) {
    expect(await order(page, 'callInTurn', value)).toEqual([{ turn: value }, { turn: 'second' }, {}]);
  }
});

it('F3: of what a dying background has called, texts survive up to a point, and no `set` is torn', async () => {
  let extension = await launchFacts();
  let before: Background | undefined;
  for (const death of [...times<Death>(8, 'stopped'), 'killed with the browser'] as const) {
    const page = await extension.open('options.html');
    before = await describeNext(page, before);
    await order(page, 'writeKinds');
    extension = await end(extension, page, death);
    const { 'storage.local': stored } = await order<Contents>(await extension.open('options.html'), 'read');
    const numbersOf = (kind: string) =>
      Object.keys(stored)
        .filter((key) => key.startsWith(String(before?.id)) && key.endsWith(kind))
        .map((key) => Number(key.split('/')[1]))
        .toSorted((a, b) => a - b);
    const [texts, objects, beside] = [numbersOf('text'), numbersOf('object'), numbersOf('beside')];
    console.log(`measured: ${inject('browserName')}: ${death}: ${texts.length} ${texts.at(-1)}; ${objects.length} ${objects.at(-1)} ${beside.length}`);
    expect(objects).toEqual(beside);
    expect(texts).toEqual(texts.map((_, index) => 2 * index + 1));
    if (inject('browserName') === 'chromium') expect(objects).toEqual(objects.map((_, index) => 2 * index + 2));
  }
});

it.runIf(await canMountDisk())('F4: a `set` that is refused because the disk is full has stored nothing, also after a restart', async () => {
  const disk = await createSmallDisk();
  let extension = await launchFacts(disk);
  let page = await extension.open('options.html');
  const refused: string[] = [];
  let last = {};
  for (let round = 0; round < 12; round += 1) {
    for (const size of [10, 10_000, 1_000_000]) {
      await fill(disk);
      const name = `${round} ${size}`;
      const values = { [`left ${name}`]: 'x'.repeat(size), last: name, [`right ${name}`]: 'x'.repeat(size) };
      if ((await order(page, 'set', values)) === 'stored') last = name;
      else refused.push(name);
      const stored = (await order<Contents>(page, 'read'))['storage.local'];
      expect(stored['last'] ?? {}).toEqual(last);
      expect(refused.filter((other) => `left ${other}` in stored || `right ${other}` in stored)).toEqual([]);
    }
  }
  await free(disk);
  extension = await extension.restart();
  page = await extension.open('options.html');
  const stored = (await order<Contents>(page, 'read'))['storage.local'];
  console.log(`measured: ${inject('browserName')}: refused ${refused.length}`);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.filter((other) => `left ${other}` in stored || `right ${other}` in stored)).toEqual([]);
});

it('a background that holds a Web Lock for its life falls asleep, which frees the lock for the next one', async () => {
  const extension = await launchFacts();
  const page = await extension.open('options.html');
  const isHeld = async () => (await navigator.locks.query()).held?.some(({ name }) => name === 'life') ?? false;
  await order(page, 'describe');
  await page.waitFor(isHeld);

  // One question a second is enough, because the browser ends an idle background after half a minute.
  while (await extension.isWorkerRunning()) await sleep(1_000);

  expect(await page.evaluate(isHeld)).toBe(false);
  await order(page, 'describe');
  await page.waitFor(isHeld);
});

async function launchFacts(profiles?: string): Promise<OwnBrowser> {
  return launchOwnBrowser(await buildTestExtension('facts'), profiles);
}

/** Lets the background do something, and returns its answer. */
function order<T = unknown>(page: View, name: string, input?: unknown): Promise<T> {
  return page.waitFor(async (...message) => [await chrome.runtime.sendMessage({ name: message[0], input: message[1] })], name, input).then((a) => a[0] as T);
}

/** Returns the description of the background that follows another one. */
function describeNext(page: View, before: Background | undefined): Promise<Background> {
  return page.waitFor(async (id) => {
    const background = (await chrome.runtime.sendMessage({ name: 'describe' })) as Background;
    return background.id !== id && background;
  }, before?.id);
}

/** Runs in a page. Starts the next background in the moment in which this one dies. */
function wakeNext(): void {
  chrome.runtime.connect().onDisconnect.addListener(wakeNext);
}

/** Ends the background of the page at a random moment, and returns the extension after that. */
async function end(extension: OwnBrowser, page: View, death: Death): Promise<OwnBrowser> {
  await sleep(Math.random() * MAX_LIFE);
  if (death.endsWith('in a loop')) {
    await page.evaluate(() => void chrome.runtime.sendMessage({ name: 'loop' }).catch(() => undefined));
    await sleep(200);
  }
  if (death === 'killed with the browser') {
    await extension.kill();
    return extension.restart();
  }
  if (death.startsWith('stopped')) await extension.stopWorker();
  else await extension.installExtension(await buildTestExtension('facts'));
  await page.close().catch(() => undefined);
  return extension;
}

function times<T>(count: number, value: T): T[] {
  return Array<T>(count).fill(value);
}
