import type { CollectionDefinition } from '../define/documents.ts';
import type { Changes, Watchable } from '../define/handler-state.ts';
import { endOnReturn } from '../wire/waiting.ts';
import type { Reader } from './reader.ts';
import { splitKey } from './store.ts';

/** An event about a document, or about records below a prefix. `detail` has the ids of the records. */
export type ChangeEvent = CustomEvent<readonly string[]>;

/** Name of the events about a definition. */
const eventName = ({ kind, key }: Watchable): string => (kind === 'document' ? key : `${key}/`);

/** Notifies those who watch changed keys. */
export function announce(events: EventTarget, keys: Iterable<string>): void {
  const ids = new Map<string, string[]>();
  for (const key of keys) {
    const [name, id] = splitKey(key);
    const others = ids.get(name);
    if (others === undefined) ids.set(name, [id]);
    else others.push(id);
  }
  for (const [name, detail] of ids) events.dispatchEvent(new CustomEvent(name, { detail }));
}

/**
 * Yields what a definition has, now and after changes, until the signal is aborted. For several definitions, it yields a list.
 */
export async function* watchDefinitions(
  events: EventTarget,
  reader: Reader,
  definitions: readonly Watchable[],
  signal: AbortSignal,
): AsyncGenerator<unknown, void> {
  const followed = definitions.map((definition) =>
    definition.kind === 'document'
      ? { look: () => reader.read(definition), stop: () => {} }
      : followCollection(events, reader, definition),
  );
  const look = async (): Promise<unknown> => {
    const values = await Promise.all(followed.map((each) => each.look()));
    return definitions.length === 1 ? values[0] : values;
  };
  try {
    yield* lookAfter(events, definitions.map(eventName), signal, look);
  } finally {
    for (const { stop } of followed) stop();
  }
}

/** Collects the ids of changed records between two looks. */
function followCollection(events: EventTarget, reader: Reader, collection: CollectionDefinition<unknown>) {
  const changed = new Set<string>();
  const collect = (event: Event): void => {
    for (const id of (event as ChangeEvent).detail) changed.add(id);
  };
  let isWhole = true;

  async function look(): Promise<Changes<unknown>> {
    const ids = [...changed];
    changed.clear();
    if (isWhole) {
      isWhole = false;
      return { isWhole: true, items: await reader.list(collection), removed: [] };
    }
    const items = await reader.getMany(collection, ids);
    const existing = new Set(items.map(({ id }) => id));
    return { isWhole: false, items, removed: ids.filter((id) => !existing.has(id)) };
  }

  events.addEventListener(eventName(collection), collect);
  return { look, stop: () => events.removeEventListener(eventName(collection), collect) };
}

/**
 * Yields the result of `look`, now and after events with these names, until the signal is aborted. Events that come while a
 * value is consumed cause one more value.
 */
export function watchChanges<T>(
  events: EventTarget,
  names: readonly string[],
  signal: AbortSignal,
  look: () => T | Promise<T>,
): AsyncGenerator<T, void> {
  return endOnReturn(signal, (either) => lookAfter(events, names, either, look));
}

async function* lookAfter<T>(
  events: EventTarget,
  names: readonly string[],
  signal: AbortSignal,
  look: () => T | Promise<T>,
): AsyncGenerator<T, void> {
  while (!signal.aborted) {
    const listening = new AbortController();
    const once = { signal: listening.signal };
    const changed = new Promise<unknown>((resolve) => {
      for (const name of names) events.addEventListener(name, resolve, once);
      signal.addEventListener('abort', resolve, once);
    });
    try {
      yield await look();
      await changed;
    } finally {
      listening.abort();
    }
  }
}
