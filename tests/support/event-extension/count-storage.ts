/** The functions of `storage.local` that the store calls. */
const names = ['get', 'set', 'remove', 'getKeys'] as const;

/** Calls of each function since this background started. */
const calls = new Map<string, number>();

const local = ((globalThis as { readonly browser?: typeof chrome }).browser ?? chrome).storage
  .local as unknown as Record<string, ((...args: unknown[]) => unknown) | undefined>;

for (const name of names) {
  const original = local[name]?.bind(local);
  if (original === undefined) continue;
  local[name] = (...args) => {
    calls.set(name, (calls.get(name) ?? 0) + 1);
    return original(...args);
  };
}

export function countStorageCalls(): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, calls.get(name) ?? 0]));
}
