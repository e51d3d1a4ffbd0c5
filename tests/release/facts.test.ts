import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import {
  buildTestExtension,
  launchOwnBrowser,
  launchTestExtension,
  type OwnBrowser,
} from '../support/built-extension.ts';
import type { Background, Contents } from '../support/facts-extension/worker.ts';
import { canMountDisk, createSmallDisk, fill, free } from '../support/small-disk.ts';

/** Number of times that each test repeats its scenario. */
const ROUNDS = inject('size') === 'soak' ? 10 : 1;

/** Longest time in ms for which a background writes before it dies. */
const MAX_LIFE = 200;

/** Time in ms for which a background blocks its thread. Chromium ends a background that has not stopped after 2 s. */
const LOOP = 3_000;

type Death = 'stopped' | 'stopped in a loop' | 'updated' | 'updated in a loop' | 'killed with the browser';

it('F1: a background starts after the last write of the one before, and first reads what survives', async () => {
  const deaths = repeat<Death>(
    ROUNDS,
    ...repeat<Death>(4, 'stopped'),
    'stopped in a loop',
    ...repeat<Death>(2, 'updated'),
    'updated in a loop',
    'killed with the browser',
  );
  let world = await openWorld();
  const backgrounds: Background[] = [];
  for (const death of deaths) {
    backgrounds.push(await describeNext(world.page, backgrounds.at(-1)));
    await order(world.page, 'count');
    await world.page.evaluate(wakeNext);
    world = await end(world, death);
  }
  backgrounds.push(await describeNext(world.page, backgrounds.at(-1)));

  const final = await order<Contents>(world.page, 'read');
  for (const store of ['storage.local', 'IndexedDB'] as const) {
    const gaps = deaths.map((death, index) => {
      const [, lastWrite] = String(final[store][`count/${backgrounds[index]?.id}`]).split(' at ');
      return [death, Number(backgrounds[index + 1]?.startedAt) - Number(lastWrite)] as const;
    });
    console.log(`measured: ${inject('browserName')}: gaps after ${store}: ${JSON.stringify(gaps)}`);
    expect(gaps.filter(([, gap]) => !(gap >= 0))).toEqual([]);
    for (const [index, { first }] of backgrounds.entries()) {
      const earlier = backgrounds.slice(0, index).map(({ id }) => `count/${id}`);
      expect(first[store]).toEqual(Object.fromEntries(earlier.map((key) => [key, final[store][key]])));
    }
  }
});

it('F2: when a background or the browser dies, the values of a `set` are all stored or none of them is', async () => {
  let world = await openWorld();
  const found: string[] = [];
  for (const death of repeat<Death>(2 * ROUNDS, 'stopped', 'killed with the browser')) {
    await order(world.page, 'writeFour');
    world = await end(world, death);
    const { 'storage.local': stored } = await order<Contents>(world.page, 'read');
    const numbers = Object.values(stored).map((text) => String(text).split(' ')[0]);
    found.push(String(numbers[0]));
    expect(numbers).toEqual(repeat(4, numbers[0]));
  }
  console.log(`measured: ${inject('browserName')}: numbers of the last sets: ${found.join()}`);
});

it.each([
  ['text', 'first'],
  ['long text', 'first'.repeat(60_000)],
  ['an object', { first: [1, 'first'] }],
  ['a large object', Object.fromEntries(repeat(10_000, 'first').map((text, index) => [`${index}`, text]))],
])(
  'F3: after the first read, reads, writes and removals of %s take effect in order',
  async (_what, value) => {
    const page = await (await launchTestExtension('facts')).open('options.html');
    for (let turn = 0; turn < 5 * ROUNDS; turn += 1) {
      expect(await order(page, 'callInTurn', value)).toEqual([{ turn: value }, { turn: 'second' }, {}]);
    }
  },
);

it('F3: of what a dying background has called, texts survive up to a point, and no `set` is torn', async () => {
  let world = await openWorld();
  const survived: unknown[] = [];
  for (let stop = 0; stop < 8 * ROUNDS; stop += 1) {
    const { id } = await order<Background>(world.page, 'describe');
    await order(world.page, 'writeKinds');
    world = await end(world, 'stopped');

    const { 'storage.local': stored } = await order<Contents>(world.page, 'read');
    const numbersOf = (kind: string): readonly number[] =>
      Object.keys(stored)
        .filter((key) => key.startsWith(id) && key.endsWith(kind))
        .map((key) => Number(key.split('/')[1]))
        .toSorted((a, b) => a - b);
    const [texts, objects] = [numbersOf('text'), numbersOf('object')];
    survived.push([texts.at(-1), objects.at(-1)]);
    expect(objects).toEqual(numbersOf('beside'));
    expect(texts).toEqual(texts.map((_, index) => 2 * index + 1));
    const all = [...texts, ...objects].toSorted((a, b) => a - b);
    // Firefox may lose the last objects, and keep texts that were written later.
    const prefix = all.map((_, index) => index + 1);
    expect(inject('browserName') === 'firefox' ? prefix : all).toEqual(prefix);
  }
  console.log(`measured: ${inject('browserName')}: last text and last object: ${JSON.stringify(survived)}`);
});

it.runIf(await canMountDisk())(
  'F4: a `set` that is refused because the disk is full has stored nothing, also after a restart',
  async () => {
    const disk = await createSmallDisk();
    let { extension, page } = await openWorld(disk);
    const refused: string[] = [];
    let sets = 0;
    /** Returns the names of the refused sets of which something is stored. */
    const findRefused = async (): Promise<readonly string[]> => {
      const stored = (await order<Contents>(page, 'read'))['storage.local'];
      return refused.filter((name) => `${name}/left` in stored || `${name}/right` in stored);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const size of [1_000_000, 10_000, 10]) {
        // The first of these rests has space for one of both values.
        for (const rest of [1.5 * size, 0]) {
          await fill(disk, rest);
          sets += 1;
          const name = String(sets);
          const values = { [`${name}/left`]: 'x'.repeat(size), [`${name}/right`]: 'x'.repeat(size) };
          if ((await order(page, 'set', values)) !== 'stored') refused.push(name);
          expect(await findRefused()).toEqual([]);
        }
      }
      await free(disk);
      if (round % 2 === 1) await extension.kill();
      extension = await extension.restart();
      page = await extension.open('options.html');
      expect(await findRefused()).toEqual([]);
      await order(page, 'clear');
    }

    console.log(`measured: ${inject('browserName')}: ${refused.length} of ${sets} sets were refused`);
    expect(refused).not.toEqual([]);
  },
);

/** A browser with the test extension, and a page of it. */
interface World {
  readonly extension: OwnBrowser;
  readonly page: View;
}

/** @param profiles folder for the profile */
async function openWorld(profiles?: string): Promise<World> {
  return openPage(await launchOwnBrowser(await buildTestExtension('facts'), profiles));
}

async function openPage(extension: OwnBrowser): Promise<World> {
  return { extension, page: await extension.open('options.html') };
}

/** Sends the name of an action to the background, and returns its result. */
async function order<T = unknown>(page: View, name: string, input?: unknown): Promise<T> {
  const send = async (...message: [string, unknown]) => [
    await chrome.runtime.sendMessage({ name: message[0], input: message[1] }),
  ];
  return (await page.waitFor(send, name, input))[0] as T;
}

/** Returns the description of the background that follows another one. */
function describeNext(page: View, before: Background | undefined): Promise<Background> {
  return page.waitFor(async (id) => {
    const background: Background = await chrome.runtime.sendMessage({ name: 'describe' });
    return background.id !== id && background;
  }, before?.id);
}

/** Runs in a page. Starts the next background in the moment in which this one dies. */
function wakeNext(): void {
  chrome.runtime.connect().onDisconnect.addListener(wakeNext);
}

/** Ends the background at a random time. Returns what is open afterwards. */
async function end(world: World, death: Death): Promise<World> {
  const { extension, page } = world;
  await sleep(Math.random() * MAX_LIFE);
  if (death === 'killed with the browser') {
    await extension.kill();
    return openPage(await extension.restart());
  }
  let loop: Promise<void> | undefined;
  if (death.endsWith('in a loop')) {
    await page.evaluate((ms) => void chrome.runtime.sendMessage({ name: 'loop', input: ms }), LOOP);
    loop = sleep(LOOP);
    // In Firefox, the loop blocks the page too, so the page cannot tell when it begins.
    await sleep(LOOP / 10);
  }
  if (death.startsWith('stopped')) await extension.stopWorker();
  else await extension.installExtension(await buildTestExtension('facts'));
  // If the background had survived its loop, it would now write again.
  await loop;
  if (death.startsWith('stopped')) return world;
  await page.close().catch(() => undefined);
  return openPage(extension);
}

function repeat<T>(times: number, ...values: readonly T[]): readonly T[] {
  return Array<readonly T[]>(times).fill(values).flat();
}
