import { setTimeout as sleep } from 'node:timers/promises';

import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/view.ts';
import { buildWatchedExtension } from '../support/build-watched-extension.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';

const ROUNDS = 20;
const PAGES = 4;

/** Longest time, in ms, that the browser is let live while mutations are made. */
const MAX_LIFE = 1_500;

it(
  'has lost, doubled and torn nothing when the browser is killed during mutations',
  { timeout: 900_000 },
  async () => {
    let extension = await launchBuiltExtension(await buildWatchedExtension());
    const made: string[] = [];
    const accepted: string[] = [];
    let torn = 0;

    for (let round = 0; round < ROUNDS; round += 1) {
      const pages = await openPages((address) => extension.open(address));
      let isKilled = false;
      const load = pages.map((page, index) =>
        append(page, `${round}/${index}`, made, accepted, () => isKilled),
      );
      await sleep(200 + Math.random() * MAX_LIFE);
      isKilled = true;
      await extension.kill();
      await Promise.all(load);

      extension = await extension.restart();
      const { entries, size } = await readLedger(await extension.open('options.html'));
      if (entries.length !== size) torn += 1;
    }

    const { entries } = await readLedger(await extension.open('options.html'));
    const kept = new Set(entries);
    const lost = accepted.filter((entry) => !kept.has(entry));
    const inDoubt = made.length - accepted.length;
    const numbers = {
      rounds: ROUNDS,
      made: made.length,
      accepted: accepted.length,
      kept: kept.size,
      inDoubt,
      lost: lost.length,
    };
    console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ ...numbers, torn })}`);
    expect(accepted.length).toBeGreaterThan(ROUNDS);
    expect(torn).toBe(0);
    expect(lost).toEqual([]);
    expect(entries).toHaveLength(kept.size);
    expect(entries.filter((entry) => !made.includes(entry))).toEqual([]);
  },
);

async function openPages(open: (address: string) => Promise<View>): Promise<View[]> {
  const pages: View[] = [];
  for (let count = 0; count < PAGES; count += 1) pages.push(await open('options.html'));
  return pages;
}

/** Appends one entry after the other to the ledger, until the browser is gone. What was answered is noted outside of it. */
async function append(
  page: View,
  name: string,
  made: string[],
  accepted: string[],
  isKilled: () => boolean,
): Promise<void> {
  for (let count = 0; ; count += 1) {
    const entry = `${name}/${count}`;
    made.push(entry);
    try {
      await page.evaluate((value) => watched.mutate('ledger.append', value), entry);
    } catch (error) {
      if (!isKilled()) throw error;
      // The browser is gone, and with it the answer.
      return;
    }
    accepted.push(entry);
  }
}

function readLedger(page: View): Promise<{ entries: string[]; size: number }> {
  return page.evaluate(() => watched.query('ledger.read'));
}
