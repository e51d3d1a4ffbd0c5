import type { Json } from '../wire/json.ts';

/** A type whose arrays and objects can only be read, at every level. All of `Json` already is. */
export type Frozen<T> = [Json] extends [T]
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends object
      ? { readonly [Key in keyof T]: Frozen<T[Key]> }
      : T;

/** Freezes a value at every level, and returns it. A change then throws a `TypeError` at the line that makes it. */
export function freeze<T>(value: T): Frozen<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const key in value) freeze(value[key]);
  }
  return value as Frozen<T>;
}
