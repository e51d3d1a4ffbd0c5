import { expect, it } from 'vitest';

import { buildTaskExtension, launchBuiltExtension } from '../support/built-extension.ts';

const HOUR = 60 * 60 * 1_000;

it('carries out the events that an earlier version of the core has noted, or moves them to the quarantine', async () => {
  const extension = await launchBuiltExtension(await buildTaskExtension());
  const page = await extension.open('options.html');
  // In Chromium, a worker that is stopped during its registration stays silent. This call waits until it is registered.
  await page.evaluate(() => tasked.query('line.list'));
  await extension.stopWorker();

  const at = Date.now() - HOUR;
  const name = 'line.append';
  const notes = [
    { name, input: 'first', at },
    { name, input: 'with a key', key: 'new', at },
    { name, input: 'made before', key: 'made', at },
    { name: 'line.prepend', input: 'of a procedure that is gone', at },
    { name, input: 5, at },
    { name, input: 'last', at },
  ];
  const prefix = `inbox/${digits(at)}-2a2bd8d5-0b54-4c52-9d5e-3b0e60c1b1f7-`;
  await page.evaluate((entries) => chrome.storage.local.set(entries), {
    inbox: true,
    ...Object.fromEntries(notes.map((note, index) => [prefix + digits(index + 1), JSON.stringify(note)])),
    [`${prefix}${digits(7)}`]: '{"name":',
    lines: { version: 1, data: [] },
    journal: at,
    [`journal/background/${name}/made`]: { id: 1, name, outcome: null, at },
    'journal/options/0a4c7f2e-3c1d-4a56-8a07-35d1b32f6f10': { id: 3, name: 'counter.add', outcome: 7, at },
  });
  // Starts the next background.
  await page.evaluate(() => tasked.query('storage.calls'));

  await page.waitFor(async () => {
    const keys = Object.keys(await chrome.storage.local.get(null));
    return !keys.some((key) => key.startsWith('inbox') || key.startsWith('queue/event/'));
  });
  expect(await page.evaluate(() => tasked.query('line.list'))).toEqual(['first', 'with a key', 'last']);
  const texts = await page.evaluate(() => tasked.query('unreadable.texts'));
  expect(texts.toSorted()).toEqual([
    expect.stringContaining('"input":5'),
    expect.stringContaining('line.prepend'),
    '{"name":',
  ]);
});

const digits = (number: number): string => String(number).padStart(15, '0');
