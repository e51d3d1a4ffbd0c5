import { storage } from 'webextension-polyfill';

/** Calls of `storage.local` in this background, by method. `written/…` keys, which a listener of the tests writes, do not count. */
export const storageCalls = { get: 0, getKeys: 0, set: 0, remove: 0 };

const local = storage.local as unknown as Record<keyof typeof storageCalls, (given?: object) => unknown>;

for (const method of ['get', 'getKeys', 'set', 'remove'] as const) {
  const call = local[method].bind(local);
  local[method] = (given) => {
    if (!Object.keys(given ?? {}).some((key) => key.startsWith('written/'))) storageCalls[method] += 1;
    return call(given);
  };
}
