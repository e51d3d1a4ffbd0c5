import { expect, inject, it } from 'vitest';

import { buildWatchedExtension, launchBuiltExtension } from '../support/built-extension.ts';

const FRAMES = inject('isSoak') ? 100_000 : 5_000;

it('answers thousands of malformed frames with typed errors or not at all', async () => {
  const { sent, heapGrowth, ...aftermath } = await sendMalformedFrames(FRAMES);

  expect(sent).toBe(FRAMES);
  expect(aftermath).toEqual(unharmed);
  expect(heapGrowth).toBeLessThan(1024 * 1024);
});

/** What came of malformed frames. */
interface Aftermath {
  readonly sent: number;
  /** Answers that were no typed errors; the first of each portion. */
  readonly unexpected: readonly unknown[];
  readonly closedPorts: number;
  /** Whether it is the worker from before. */
  readonly isSameWorker: boolean;
  /** How often a handler was called that should not have been. */
  readonly handled: number;
  readonly uncaught: readonly string[];
  readonly polluted: readonly string[];
  /** What was written to the console. */
  readonly console: readonly unknown[];
  /** Bytes that the worker's heap has grown by, after a collection; 0 in Firefox, where it cannot be measured. */
  readonly heapGrowth: number;
}

/** Frames to a call into the page: each has to end before the driver's patience does. */
const PORTION = 5_000;

/** Sends so many malformed frames, the huge ones among them, from a page of the watched extension to its worker. */
async function sendMalformedFrames(count: number): Promise<Aftermath> {
  const extension = await launchBuiltExtension(await buildWatchedExtension());
  const page = await extension.open('options.html');
  const seed = Math.floor(Math.random() * 2 ** 30);
  await page.evaluate((value) => watched.sendMalformed(value, 1_000, false), seed);
  const before = await page.evaluate(() => watched.query('worker.facts'));
  const heapBefore = await extension.measureWorkerHeap();

  const reports = [];
  for (let sent = 0; sent < count; sent += PORTION) {
    const portion = [seed + sent + 1, Math.min(PORTION, count - sent), sent === 0] as const;
    reports.push(await page.evaluate((...args) => watched.sendMalformed(...args), ...portion));
  }
  const after = await page.evaluate(() => watched.query('worker.facts'));
  const heapAfter = await extension.measureWorkerHeap();

  const heapGrowth = (heapAfter ?? 0) - (heapBefore ?? 0);
  const answers = total(reports.map((report) => report.answers));
  console.log(
    `measured: ${inject('browserName')}, seed ${seed}: ${JSON.stringify({ count, answers, heapGrowth })}`,
  );
  return {
    sent: reports.reduce((sum, { sent }) => sum + sent, 0),
    unexpected: reports.flatMap(({ unexpected }) => unexpected),
    closedPorts: reports.filter(({ isPortOpen }) => !isPortOpen).length,
    isSameWorker: after.startedAt === before.startedAt,
    // Each portion is sent while the counter is watched.
    handled: after.handled - before.handled - reports.length,
    uncaught: after.uncaught,
    polluted: after.polluted,
    console: await extension.readConsole(),
    heapGrowth,
  };
}

/** Errors by code, over all portions. */
function total(portions: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const [code, count] of portions.flatMap((portion) => Object.entries(portion))) {
    codes[code] = (codes[code] ?? 0) + count;
  }
  return codes;
}

/** What `sendMalformedFrames` finds where nothing came of the frames but typed errors. */
const unharmed = {
  unexpected: [],
  closedPorts: 0,
  isSameWorker: true,
  handled: 0,
  uncaught: [],
  polluted: [],
  console: [],
} as const;
