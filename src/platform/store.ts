import { storage, type Storage } from 'webextension-polyfill';

import type { Store } from '../messaging/state/store.ts';
import { takeStore } from './take-store.ts';

/** The storage area, with functions that the library's types lack. */
type Area = Storage.StorageArea & {
  /** Since Chromium 130 and Firefox 143. */
  readonly getKeys?: () => Promise<string[]>;
  /** Since Chromium 102. Firefox 153 does not have it. */
  readonly setAccessLevel?: (options: { readonly accessLevel: 'TRUSTED_CONTEXTS' }) => Promise<void>;
};

/**
 * Keeps the state in `storage.local`, which both browsers write atomically.
 *
 * Writing and removing are two operations there. So a key is first set to `null`, in the same write as all other entries,
 * and deleted later, together with others. If the background dies in between, the `null` counts as removed. A list names
 * these keys, so that the next background deletes them.
 */
export const browserStore: Store = {
  read,
  list: async (prefix) => {
    await (known ?? read([]));
    const area = local();
    // Taken before and after the keys, because keys may be deleted while they are listed, or a deletion may fail.
    const before = [...named];
    const keys = area.getKeys ? await area.getKeys() : Object.keys(await area.get(null));
    const doubtful = [...new Set([...before, ...named])].filter((key) => key.startsWith(prefix));
    const stored = doubtful.length === 0 ? {} : await area.get(doubtful);
    const removed = new Set(doubtful.filter((key) => (stored[key] ?? null) === null));
    return keys.filter((key) => key.startsWith(prefix) && !removed.has(key)).toSorted();
  },
  write: async (entries) => {
    await (known ?? read([]));
    const removed = Object.keys(entries).filter((key) => entries[key] === null);
    const replaced = Object.keys(entries).filter((key) => entries[key] !== null && named.has(key));
    for (const key of removed) named.add(key);
    for (const key of replaced) for (const keys of [named, deletable]) keys.delete(key);
    for (const key of Object.keys(entries)) unsure.delete(key);
    const isListChanged = removed.length + replaced.length > 0;
    try {
      await local().set({ ...entries, ...(isListChanged && { [REMOVED]: JSON.stringify([...named]) }) });
      for (const key of removed) if (named.has(key)) deletable.add(key);
    } catch (error) {
      // Nothing was written. What is stored under these keys is found out before they are deleted.
      for (const key of [...removed, ...replaced]) unsure.add(key);
      for (const key of replaced) named.add(key);
      throw error;
    } finally {
      tidyLater();
    }
  },
  own: takeStore,
};

/** Key of the list of keys that are `null`. It is text, because Firefox may lose an object if the background dies. */
const REMOVED = 'store/removed';

/** Keys that are `null` or are being set to it. The list names them. */
const named = new Set<string>();

/** Keys that are `null`. */
const deletable = new Set<string>();

/** Named keys under which a value may be stored, because an earlier background or a failed operation has named them. */
const unsure = new Set<string>();

/** Resolves when the list that earlier backgrounds have left is read. */
let known: Promise<void> | undefined;

/** Reads values. The first call reads the list as well. */
async function read(keys: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const isFirst = known === undefined;
  const reading = local().get(isFirst ? [...keys, REMOVED] : [...keys]);
  if (isFirst) {
    known = reading.then(({ [REMOVED]: list }) => onList(list));
    known.catch(() => (known = undefined));
  }
  const stored = await reading;
  const entries = keys.filter((key) => Object.hasOwn(stored, key) && stored[key] !== null);
  return Object.fromEntries(entries.map((key) => [key, stored[key]]));
}

function onList(list: unknown): void {
  if (typeof list !== 'string') return;
  for (const key of parseList(list)) {
    named.add(key);
    unsure.add(key);
  }
  tidyLater(LEFT_DELAY);
}

function parseList(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

/** Milliseconds before keys are deleted, so that a burst of changes needs one deletion. */
const TIDY_DELAY = 1_000;

/**
 * Milliseconds before keys are deleted that earlier backgrounds have left. This is sooner, because the list would grow if each
 * background died within `TIDY_DELAY`.
 */
const LEFT_DELAY = 100;

/** Number of keys that are deleted without a delay, because each write of a burst stores the whole list. */
const MANY = 64;

let tidying: ReturnType<typeof setTimeout> | undefined;

function tidyLater(delay = TIDY_DELAY): void {
  if (named.size === 0) return;
  if (deletable.size >= MANY) void tidy();
  else tidying ??= setTimeout(() => void tidy(), delay);
}

/** Deletes the keys that are `null`, and the list when it names no other key. */
async function tidy(): Promise<void> {
  clearTimeout(tidying);
  tidying = undefined;
  await findDeletable();
  const keys = [...deletable];
  if (keys.length === 0 && named.size > 0) return;
  deletable.clear();
  for (const key of keys) named.delete(key);
  try {
    // Operations take effect in the order of the calls. So a key that is written later stays.
    await local().remove(named.size === 0 ? [...keys, REMOVED] : keys);
  } catch {
    for (const key of keys) for (const set of [named, unsure]) set.add(key);
  }
}

/** Finds out which of the unsure keys are `null`. A key that is written meanwhile is no longer unsure. */
async function findDeletable(): Promise<void> {
  if (unsure.size === 0) return;
  const keys = [...unsure];
  const stored = await local()
    .get(keys)
    .catch(() => undefined);
  if (stored === undefined) return tidyLater();
  for (const key of keys) {
    if (!unsure.delete(key)) continue;
    if ((stored[key] ?? null) === null) deletable.add(key);
    else named.delete(key);
  }
}

/** The key of the id in `storage.session`. */
const SESSION = 'session';

/**
 * Returns an id of the browser's session. `storage.session` outlives the background, but neither the browser nor an update of
 * the extension.
 */
export async function readSession(): Promise<string> {
  const { [SESSION]: stored } = await storage.session.get(SESSION);
  if (typeof stored === 'string') return stored;
  const id = crypto.randomUUID();
  await storage.session.set({ [SESSION]: id });
  return id;
}

/** Denies content scripts access to the stored state, if the browser can. */
export function restrictStorage(): void {
  local()
    .setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' })
    .catch((error: unknown) => {
      console.warn('Content scripts can read the stored state:', error);
    });
}

function local(): Area {
  return storage.local;
}
