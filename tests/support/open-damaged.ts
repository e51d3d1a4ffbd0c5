import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';

import { createTemporaryFolder } from './create-temporary-folder.ts';
import { damageFiles } from './damage-files.ts';
import type { Damage } from './damage-files.ts';
import { launchBuiltExtension } from './launch-built-extension.ts';

/** What the options page made of a damaged database. */
export interface DamagedOpening {
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
export async function openDamaged(list: readonly Damage[]): Promise<DamagedOpening[]> {
  const openings: DamagedOpening[] = [];
  const pristine = await createTemporaryFolder('database');
  let extension = await launchBuiltExtension();
  const options = await extension.open('src/options/index.html#/preferences');
  await options.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  // Firefox keeps what is larger than 1 MiB, when it is compressed, in files beside its database.
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

async function look(
  extension: Awaited<ReturnType<typeof launchBuiltExtension>>,
): Promise<Omit<DamagedOpening, 'damage'>> {
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

/** Where in a profile the browser keeps `storage.local`: a LevelDB in Chromium, SQLite and files beside it in Firefox. */
async function databaseFolder(profile: string): Promise<string> {
  if (inject('browserName') === 'chromium') return 'Default/Local Extension Settings';

  // The origin has a second folder, without the suffix, for what its pages note in `localStorage`.
  const storage = 'storage/default';
  const origins = await readdir(join(profile, storage));
  const origin = origins.find((name) => /^moz-extension.*userContextId/.test(name));
  if (origin === undefined) throw new Error('Firefox has stored nothing.');
  return join(storage, origin, 'idb');
}
