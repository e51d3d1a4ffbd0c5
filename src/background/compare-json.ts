import type { StorageChange } from '../contract/storage-file.ts';
import type { Json } from '../messaging/json.ts';

/** Every value that differs between two, by its path: objects member by member, anything else as a whole. */
export function compareJson(
  from: Json | undefined,
  to: Json | undefined,
  path: readonly string[],
): StorageChange[] {
  if (isObject(from) && isObject(to)) {
    const keys = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...keys].flatMap((key) => compareJson(from[key], to[key], [...path, key]));
  }
  if (JSON.stringify(from) === JSON.stringify(to)) return [];
  return [{ path: [...path], ...(from !== undefined && { from }), ...(to !== undefined && { to }) }];
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
