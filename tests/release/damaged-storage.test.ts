import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { launchOwnBrowser, untilWritten } from '../support/built-extension.ts';
import { openPreferences, pickTheme } from '../support/page-actions.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** Kinds of damage to a file that is chosen at random, as by a failing disk or a power cut. */
const damages: Readonly<Record<string, (file: string, files: readonly string[]) => Promise<void>>> = {
  async flip(file) {
    const bytes = await readFile(file);
    const at = randomBelow(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << randomBelow(8));
    await writeFile(file, bytes);
  },
  truncate: async (file) => truncate(file, randomBelow((await stat(file)).size)),
  delete: (file) => rm(file),
  async swap(file, files) {
    const other = pick(files);
    const [one, two] = [await readFile(file), await readFile(other)];
    await writeFile(file, two);
    await writeFile(other, one);
  },
};

/** The damage of each round. */
const rounds =
  inject('size') === 'soak'
    ? Array.from({ length: 50 }, () => Object.entries(damages)).flat()
    : [pick(Object.entries(damages))];

/** Milliseconds until a page must show. The limit is higher next to other tests, because the machine is busy then. */
const MOST_MS = inject('size') === 'soak' ? 5_000 : 60_000;

it('shows the saved preferences after a restart, and over a damaged database either these or a notice', async () => {
  const pristine = await createTemporaryFolder('database');
  let extension = await launchOwnBrowser();
  const { origin } = extension;
  const options = await openPreferences(extension);
  // Firefox stores values that are larger than 1 MiB after compression in files next to its database.
  if (inject('browserName') === 'firefox') await options.evaluate(storeLarge);
  const theme = await pickTheme(options, 'Dark');
  await options.waitFor((chosen) => document.documentElement.dataset['theme'] === chosen, theme);
  // A page notices lost data by this note, which is outside of the database.
  await options.waitFor(() => localStorage.getItem('stored') === 'preferences');
  await untilWritten(extension, 'stored', 'preferences');

  extension = await extension.restart(async (profile) => {
    await cp(join(profile, await databaseFolder(profile)), pristine, { recursive: true });
  });
  expect(await firstShown(extension)).toMatchObject({ chosen: 'Dark', notice: '' });
  await (await extension.openPopup()).waitFor(() => document.documentElement.dataset['theme'] === 'dark');
  expect(extension.origin).toBe(origin);
  expect(await extension.readConsole()).toEqual([]);

  let [slowest, salvaged] = [0, 0];
  for (const [name, damage] of rounds) {
    // A browser that ends normally might write to its database.
    await extension.kill();
    extension = await extension.restart(async (profile) => {
      const folder = join(profile, await databaseFolder(profile));
      await rm(folder, { recursive: true });
      await cp(pristine, folder, { recursive: true });
      const files = await filesIn(folder);
      await damage(pick(files), files);
    });
    const { chosen, duration } = await firstShown(extension);
    salvaged += Number(chosen === 'Dark');
    slowest = Math.max(slowest, duration);
    expect(duration, name).toBeLessThan(MOST_MS);
  }
  console.log(`measured: ${JSON.stringify({ opened: rounds.length, salvaged, slowest })}`);
});

/** Waits until the preferences show the saved theme or a notice. Returns both texts, and the ms since the page was opened. */
async function firstShown(extension: RunningExtension) {
  const page = await extension.open(`${pages.options}#/preferences`);
  return page.waitFor(() => {
    const chosen = document.querySelector('input[name=theme]:checked')?.parentElement?.textContent;
    const notice = document.querySelector('[role=alert]')?.textContent ?? '';
    // Without the saved theme there must be a notice.
    return (chosen === 'Dark' || notice !== '') && { chosen, notice, duration: performance.now() };
  });
}

/** Runs in the page. Stores 3 MiB of random text, which stays larger than 1 MiB when it is compressed. */
async function storeLarge(): Promise<void> {
  const letters = Array.from({ length: 3 * 1024 * 1024 }, () =>
    String.fromCodePoint(48 + Math.floor(Math.random() * 75)),
  );
  await chrome.storage.local.set({ stranger: letters.join('') });
}

/** Returns the folder of `storage.local` in a profile: a LevelDB in Chromium, SQLite and separate files in Firefox. */
async function databaseFolder(profile: string): Promise<string> {
  if (inject('browserName') === 'chromium') return 'Default/Local Extension Settings';

  // The second folder of this origin, without the suffix, holds the `localStorage` of its pages.
  const storage = 'storage/default';
  const origins = await readdir(join(profile, storage));
  const origin = origins.find((name) => /^moz-extension.*userContextId/.test(name));
  if (origin === undefined) throw new Error('Firefox has stored nothing.');
  return join(storage, origin, 'idb');
}

/** Returns all files below a folder that are not empty. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return files.filter((_file, index) => (sizes[index] ?? 0) > 0);
}

function randomBelow(limit: number): number {
  return Math.floor(Math.random() * limit);
}

function pick<T>(items: readonly T[]): T {
  const item = items[randomBelow(items.length)];
  if (item === undefined) throw new Error('There is nothing to damage.');
  return item;
}
