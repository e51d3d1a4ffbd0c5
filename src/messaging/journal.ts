import type { Json } from './json.ts';
import type { Store } from './store.ts';

/** Names a mutation: the page that made it, its number there, and the procedure, to which its outcome belongs. */
export interface MutationId {
  readonly page: string;
  readonly id: number;
  readonly name: string;
}

/** The last mutation of one page that took effect, and what it was answered. */
interface Slot {
  readonly id: number;
  readonly name: string;
  readonly outcome: Json;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * How long a slot is kept, in ms. A page sends its next mutation when the one before has settled, which it does within
 * `MAX_TIMEOUT`: so a page needs one slot, and no call is asked again after its slot is gone.
 */
export const SLOT_LIFE = 60 * 60 * 1000;

const PREFIX = 'journal/';

/** The entry that records a mutation, to be written together with the state it changed. */
export function slotEntry({ page, id, name }: MutationId, outcome: Json): Readonly<Record<string, Json>> {
  return { [PREFIX + page]: { id, name, outcome, at: Date.now() } satisfies Slot };
}

/** The page's slot, if there is one that can be read. */
export async function readSlot(store: Pick<Store, 'read'>, page: string): Promise<Slot | undefined> {
  const value = await store.read(PREFIX + page);
  return isSlot(value) ? value : undefined;
}

/** Removes the slots of pages long gone. A slot from the future stands for a clock that was set back. */
export async function pruneJournal(store: Store): Promise<void> {
  const now = Date.now();
  const stale = Object.entries(await store.readAll())
    .filter(
      ([key, value]) => key.startsWith(PREFIX) && !(isSlot(value) && Math.abs(now - value.at) < SLOT_LIFE),
    )
    .map(([key]) => key);

  if (stale.length > 0) await store.remove(stale);
}

function isSlot(value: Json | undefined): value is Slot & { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && 'id' in value && 'outcome' in value && 'at' in value;
}
