import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { launchOwnBrowser } from '../support/built-extension.ts';
import { createTemporaryFolder } from '../support/temporary-folder.ts';

/** Times that the database is damaged in each way. */
const ROUNDS = inject('isSoak') ? 50 : 1;

/** Milliseconds in which a page must show. With other tests on a busy machine it may take longer. */
const MOST_MS = inject('isSoak') ? 5_000 : 60_000;

it('shows salvaged preferences, defaults or what is wrong, over a damaged database', async () => {
  const openings = await openDamaged(Array.from({ length: ROUNDS }, () => damages).flat());

  const salvaged = openings.filter(({ theme }) => theme === 'Dark').length;
  const slowest = Math.max(...openings.map(({ duration }) => duration));
  console.log(`measured: ${JSON.stringify({ damaged: openings.length, salvaged, slowest })}`);
  expect(openings).toHaveLength(ROUNDS * damages.length);
  expect(openings.filter(({ theme, notice }) => theme !== 'Dark' && notice === undefined)).toEqual([]);
  expect(slowest).toBeLessThan(MOST_MS);
});

/** What the options page made of a damaged database. */
interface DamagedOpening {
  readonly damage: string;
  /** ms from the start of loading to what follows. */
  readonly duration: number;
  /** The theme that is shown as chosen: `Dark` where it was salvaged. */
  readonly theme: string | undefined;
  /** What the page says of the stored state, if anything. */
  readonly notice: string | undefined;
}

/**
 * Stores a theme, ends the browser, and then, damage by damage, damages a fresh copy of what it has written on the disk,
 * starts it again and opens the preferences.
 */
async function openDamaged(list: readonly Damage[]): Promise<DamagedOpening[]> {
  const openings: DamagedOpening[] = [];
  const pristine = await createTemporaryFolder('database');
  let extension = await launchOwnBrowser();
  const options = await extension.open('src/options/index.html#/preferences');
  await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  // Firefox keeps what is larger than 1 MiB, when it is compressed, in files next to its database.
  if (inject('browserName') === 'firefox') {
    await options.evaluate(storeLarge);
  }
  await options.click('label:last-of-type input[name=theme]');
  await options.waitFor(() => document.documentElement.dataset['theme'] === 'dark');

  for (const damage of list) {
    let done = '';
    extension = await extension.restart(async (profile) => {
      const folder = join(profile, await databaseFolder(profile));
      if (openings.length === 0) await cp(folder, pristine, { recursive: true });
      await rm(folder, { recursive: true });
      await cp(pristine, folder, { recursive: true });
      done = await damageFiles(folder, damage);
    });
    openings.push({ damage: done, ...(await look(extension)) });
  }
  return openings;
}

async function look(extension: RunningExtension): Promise<Omit<DamagedOpening, 'damage'>> {
  const page = await extension.open('src/options/index.html#/preferences');
  return page.waitFor(() => {
    const theme =
      document.querySelector('input[name=theme]:checked')?.parentElement?.textContent ?? undefined;
    const notice = document.querySelector('[role=alert]')?.textContent ?? undefined;
    // What is salvaged says so itself.
    return (theme === 'Dark' || notice !== undefined) && { duration: performance.now(), theme, notice };
  });
}

/** Runs in the page: stores 3 MiB of text that cannot be compressed to a third of it. */
async function storeLarge(): Promise<void> {
  const letters = Array.from({ length: 3 * 1024 * 1024 }, () =>
    String.fromCodePoint(48 + Math.floor(Math.random() * 75)),
  );
  await chrome.storage.local.set({ stranger: letters.join('') });
}

/** Where in a profile the browser keeps `storage.local`: a LevelDB in Chromium, SQLite and separate files in Firefox. */
async function databaseFolder(profile: string): Promise<string> {
  if (inject('browserName') === 'chromium') return 'Default/Local Extension Settings';

  // The origin has a second folder, without the suffix, for what its pages note in `localStorage`.
  const storage = 'storage/default';
  const origins = await readdir(join(profile, storage));
  const origin = origins.find((name) => /^moz-extension.*userContextId/.test(name));
  if (origin === undefined) throw new Error('Firefox has stored nothing.');
  return join(storage, origin, 'idb');
}

/** What is done to one file: a byte flipped, its end cut off, gone, or put in the place of another. */
const damages = ['flip', 'truncate', 'delete', 'swap'] as const;

type Damage = (typeof damages)[number];

/** Damages files at random, as a failing disk or a killed machine does. Says what was done. */
async function damageFiles(folder: string, damage: Damage): Promise<string> {
  const files = await filesIn(folder);
  const file = pick(files);
  const { size } = await stat(file);
  switch (damage) {
    case 'flip': {
      const bytes = await readFile(file);
      const at = Math.floor(Math.random() * size);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
      await writeFile(file, bytes);
      return `flip a bit of byte ${at} of ${size} in ${file}`;
    }
    case 'truncate': {
      const left = Math.floor(Math.random() * size);
      await truncate(file, left);
      return `truncate ${file} from ${size} to ${left} bytes`;
    }
    case 'delete':
      await rm(file);
      return `delete ${file}`;
    case 'swap': {
      const other = pick(files);
      const [one, two] = [await readFile(file), await readFile(other)];
      await writeFile(file, two);
      await writeFile(other, one);
      return `swap ${file} and ${other}`;
    }
  }
}

/** All files below a folder that hold something. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return files.filter((_file, index) => (sizes[index] ?? 0) > 0);
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to damage.');
  return item;
}
