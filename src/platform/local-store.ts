import { storage, type Storage } from 'webextension-polyfill';

import type { Store } from '../messaging/state/store.ts';

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
    const removable = [...removed].filter((key) => key.startsWith(prefix));
    const [keys, stored] = await Promise.all([
      area.getKeys ? area.getKeys() : area.get(null).then(Object.keys),
      removable.length === 0 ? {} : area.get(removable),
    ]);
    const gone = new Set(removable.filter((key) => isGone(stored, key)));
    return keys.filter((key) => key.startsWith(prefix) && !gone.has(key)).toSorted();
  },
  write: async (entries) => {
    await (known ?? read([]));
    for (const [key, value] of Object.entries(entries)) {
      written?.add(key);
      if (value === null) removed.add(key);
    }
    const isRemoving = Object.values(entries).includes(null);
    const list = isRemoving ? { [REMOVED]: JSON.stringify([...removed]) } : {};
    await local()
      .set({ ...entries, ...list })
      .finally(tidyLater);
  },
};

/** Key of the list of removed keys. It is text, because Firefox may lose an object if the background dies. */
const REMOVED = 'store/removed';

/** Keys that are `null`, were written since, or could not be removed. The stored list names all that are `null`. */
const removed = new Set<string>();

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
  return Object.fromEntries(keys.filter((key) => !isGone(stored, key)).map((key) => [key, stored[key]]));
}

function onList(list: unknown): void {
  for (const key of typeof list === 'string' ? parseList(list) : []) removed.add(key);
  tidyLater();
}

function parseList(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

const isGone = (stored: Readonly<Record<string, unknown>>, key: string): boolean =>
  !Object.hasOwn(stored, key) || stored[key] === null;

/** Milliseconds before keys are deleted, so that a burst of changes needs one deletion. */
const TIDY_DELAY = 1_000;

/** Number of keys that are deleted without a delay, because each write of a burst stores the whole list. */
const MANY = 64;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Keys that were written since removed keys were looked at, or are being deleted. Without it, neither is under way. */
let written: Set<string> | undefined;

function tidyLater(): void {
  if (removed.size >= MANY) tidyNow();
  else if (removed.size > 0) timer ??= setTimeout(tidyNow, TIDY_DELAY);
}

function tidyNow(): void {
  clearTimeout(timer);
  timer = undefined;
  if (written !== undefined) return;
  tidy()
    .then(tidyLater)
    // This is tried again after the next write.
    .catch(() => (written = undefined));
}

/** Deletes the keys that are `null`, and the list if it names no other key. */
async function tidy(): Promise<void> {
  written = new Set();
  const keys = [...removed];
  const stored = await local().get(keys);
  // A key that was written since then may have a value. One that is written later stays, because operations take effect in
  // the order of the calls.
  const looked = keys.filter((key) => !written?.has(key));
  const gone = looked.filter((key) => isGone(stored, key));
  written = new Set();
  await local().remove(looked.length === removed.size ? [...gone, REMOVED] : gone);
  for (const key of looked) if (!written.has(key)) removed.delete(key);
  written = undefined;
}

/** The key of the session's id in `storage.session`. */
const SESSION = 'messaging/session';

/** The id of the session. It is known after it was read or removed. */
let session: string | undefined;

/**
 * Returns an id of the browser's session. `storage.session` outlives the background, but neither the browser nor an update of
 * the extension.
 */
export async function readSession(): Promise<string> {
  const { [SESSION]: stored } = await storage.session.get(SESSION);
  if (typeof stored === 'string') return (session = stored);
  session ??= crypto.randomUUID();
  await storeSession(session);
  return session;
}

/**
 * Puts the id back if other code removes it, for example with `storage.session.clear()` when a person signs out. Without the id,
 * the next background would remove the state of the session. Call it before the first script of the background ends, because
 * the removal also starts a background that sleeps.
 */
export function keepSession(): void {
  storage.session.onChanged.addListener(({ [SESSION]: change }) => {
    if (typeof change?.oldValue !== 'string') return;
    session ??= change.oldValue;
    if (change.newValue !== session) void storeSession(session);
  });
}

async function storeSession(id: string): Promise<void> {
  try {
    await storage.session.set({ [SESSION]: id });
  } catch (error) {
    // Usually, `storage.session` is full.
    console.warn('State of this session will be lost when the background stops:', error);
  }
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
