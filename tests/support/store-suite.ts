import type { Entries, Store } from '../../src/messaging/state/store.ts';

/** A case for one promise of a store. Each case uses its own keys, so that all can share a store. */
interface StoreCase {
  /** @param refused a value that this store refuses */
  readonly act: (store: Store, refused: unknown) => Promise<unknown>;
  /** The result of `act`. */
  readonly expected: unknown;
}

const value = { text: 'é😀\u0000\u2028', numbers: [-1.5e300, 0], nothing: null, empty: [{}, [], ''] };

/** `__proto__` is not among them, because Firefox leaves it out of `storage.local`, and the core has no such key. */
const names = ['toString', 'constructor', 'hasOwnProperty'];

/** Keys in the order of their UTF-16 code units, which is not the order of their code points. */
const ordered = [
  'order/',
  'order/A',
  'order/Z',
  'order/a',
  'order/a/b',
  'order/ä',
  'order/😀',
  'order/\uFFFD',
];

/**
 * The core's requirements of a `Store`, by name. Run these cases against a new store. They use only the store, so that they
 * also run in a page, as in `tests/browser/stores.test.ts`.
 */
export const storeCases: Readonly<Record<string, StoreCase>> = {
  'reads the values that were written, and leaves out keys that were not': {
    act: async (store) => {
      await store.write({ 'read/a': value, 'read/b': false });
      return [await store.read(['read/b', 'read/missing', 'read/a']), await store.read([])];
    },
    expected: [{ 'read/a': value, 'read/b': false }, {}],
  },
  'keeps a copy of a value': {
    act: async (store) => {
      const list = [1];
      await store.write({ 'copy/a': list });
      list.push(2);
      return store.read(['copy/a']);
    },
    expected: { 'copy/a': [1] },
  },
  'writes and removes several keys at once, and writes a removed key again': {
    act: async (store) => {
      await store.write({ 'remove/a': 1, 'remove/b': 2, 'remove/c': 3, 'remove/d': 4 });
      await store.write({ 'remove/a': null, 'remove/b': 4, 'remove/d': null, 'remove/never': null });
      await store.write({ 'remove/d': 5 });
      return [
        await store.read(['remove/a', 'remove/b', 'remove/c', 'remove/d', 'remove/never']),
        await store.list('remove/'),
      ];
    },
    expected: [{ 'remove/b': 4, 'remove/c': 3, 'remove/d': 5 }, ['remove/b', 'remove/c', 'remove/d']],
  },
  'carries out writes in the order of their calls': {
    act: async (store) => {
      const values = Array.from({ length: 51 }, (_, turn) => (turn % 3 === 1 ? null : turn));
      await Promise.all(values.map((turn) => store.write({ 'turn/a': turn, 'turn/b': turn })));
      return [await store.read(['turn/a', 'turn/b']), await store.list('turn/')];
    },
    expected: [{ 'turn/a': 50, 'turn/b': 50 }, ['turn/a', 'turn/b']],
  },
  'lists the keys of a prefix in order': {
    act: async (store) => {
      const others = ['order', 'orderly', 'order0', 'Order/a', 'orde/a'];
      await store.write(toEntries([...ordered.toReversed(), ...others]));
      return store.list('order/');
    },
    expected: ordered,
  },
  'treats the names of members of Object.prototype like other keys': {
    act: async (store) => {
      const before = Object.keys(await store.read([...names, '__proto__']));
      await store.write(toEntries(names));
      const after = Object.keys(await store.read(names)).toSorted();
      await store.write(Object.fromEntries(names.map((name) => [name, null])));
      return [before, after, Object.keys(await store.read(names))];
    },
    expected: [[], names.toSorted(), []],
  },
  'changes nothing when it rejects': {
    act: async (store, refused) => {
      await store.write({ 'refuse/a': 1, 'refuse/b': 2 });
      const write = { 'refuse/a': null, 'refuse/b': 3, 'refuse/c': 4, 'refuse/d': refused, 'refuse/e': 5 };
      const outcome = await store.write(write as Entries).then(
        () => 'written',
        () => 'rejected',
      );
      const keys = ['refuse/a', 'refuse/b', 'refuse/c', 'refuse/d', 'refuse/e'];
      return [outcome, await store.read(keys), await store.list('refuse/')];
    },
    expected: ['rejected', { 'refuse/a': 1, 'refuse/b': 2 }, ['refuse/a', 'refuse/b']],
  },
  'writes, lists and reads thousands of keys': {
    act: async (store) => {
      const keys = Array.from({ length: 3_000 }, (_, index) => `many/${index}`);
      await store.write(toEntries(keys));
      const listed = await store.list('many/');
      const read = await store.read(listed);
      return [listed.length, Object.keys(read).length, read['many/2999']];
    },
    expected: [3_000, 3_000, 'many/2999'],
  },
};

/** Runs a case by its name. */
export async function runStoreCase(name: string, store: Store, refused: unknown): Promise<unknown> {
  return storeCases[name]?.act(store, refused);
}

/** Returns entries with these keys. The value of each is its key. */
function toEntries(keys: readonly string[]): Entries {
  return Object.fromEntries(keys.map((key) => [key, key]));
}
