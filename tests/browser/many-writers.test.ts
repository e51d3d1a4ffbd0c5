import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchWatched } from '../support/built-extension.ts';

const PAGES = 4;
const UPDATES = 250;

/** Of the control, which need not be as many to lose some. */
const NAIVE_UPDATES = 100;

it('counts 1,000 updates that four pages make at once, where reading and then writing loses some', async () => {
  const extension = await launchWatched();
  const pages: View[] = [];
  for (let count = 0; count < PAGES; count += 1) pages.push(await extension.open('options.html'));

  await Promise.all(pages.map((page) => page.evaluate(addMany, UPDATES)));
  await Promise.all(pages.map((page) => page.evaluate(addNaively, NAIVE_UPDATES)));

  const stored = await pages[0]?.evaluate(() => chrome.storage.local.get(['counter', 'naive']));
  expect(stored?.['counter']).toBe(PAGES * UPDATES);
  expect(stored?.['naive']).toBeLessThan(PAGES * NAIVE_UPDATES);
});

async function addMany(updates: number): Promise<void> {
  const all = Array.from({ length: updates }, () => watched.mutate('counter.add', 1, { timeout: 300_000 }));
  await Promise.all(all);
}

async function addNaively(updates: number): Promise<void> {
  for (let count = 0; count < updates; count += 1) {
    const { naive } = await chrome.storage.local.get('naive');
    await chrome.storage.local.set({ naive: Number(naive ?? 0) + 1 });
  }
}
