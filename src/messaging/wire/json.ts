import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

/** A value that `JSON.parse(JSON.stringify(value))` does not change. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * `T` with `never` for every part that is not JSON, so that `T extends JsonOf<T>` is true for JSON only. A member of type
 * `undefined` is not JSON, because it is lost on the wire. Declare it as exactly optional instead.
 */
export type JsonOf<T> = T extends Json
  ? T
  : T extends (...parameters: never[]) => unknown
    ? never
    : T extends object
      ? { [Key in keyof T]: Key extends symbol ? never : JsonOf<T[Key]> }
      : never;

/** `unknown` for a type that is JSON. Otherwise a sentence, so that code with this type does not compile. */
export type OnlyJson<T, Message> = [T] extends [JsonOf<T>] ? unknown : Message;

/** `OnlyJson` for the values of a schema. A schema of unknown type is not checked. */
export type SchemaOfJson<S, Side extends 'input' | 'output'> = S extends Schema
  ? Schema extends S
    ? unknown
    : OnlyJson<
        NonNullable<S['~standard']['types']>[Side],
        'This schema accepts values that are not JSON, such as undefined or a Date.'
      >
  : unknown;

/**
 * Maximum depth of nested arrays and objects. A cycle exceeds it. Chromium stores about 100 levels and drops deeper ones
 * without an error, and the journal adds some levels around a value.
 */
export const MAX_DEPTH = 90;

/** Maximum characters of JSON in a value. Each takes at most 3 bytes, and Chromium refuses messages above 64 MiB. */
const MAX_SIZE = 20 * 1024 * 1024;

/** An error for a value that cannot be sent or stored, because it is not JSON or too large. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly code: 'NOT_JSON' | 'TOO_LARGE';
  /** `path` has the keys from the value down to the fault, joined by dots. */
  readonly issues: readonly [{ readonly path: string; readonly message: string }];

  constructor(code: JsonError['code'], path: string, message: string) {
    super([path, message].filter(Boolean).join(': '));
    this.code = code;
    this.issues = [{ path, message }];
  }
}

/**
 * Copies a value and checks that it is JSON that both browsers send and store unchanged. It reads each member once, so that
 * a getter cannot return another value after the check.
 *
 * Rejects values that a browser or a schema would change or drop: NaN, ±Infinity, -0, `undefined`, dates and other class
 * instances, lone surrogates, deep nesting, and some members. Schemas drop members named `prototype`, and Firefox drops
 * members with a name from `Object.prototype`.
 *
 * @param limit maximum length of its JSON text in characters; never more than 20 Mi
 * @throws JsonError with the path of the first fault
 */
export function copyJson(value: unknown, limit = MAX_SIZE): Json {
  return measureJson(value, limit).copy;
}

/** Copies a value like `copyJson`. `size` is about the number of characters of its JSON text. */
export function measureJson(
  value: unknown,
  limit = MAX_SIZE,
): { readonly copy: Json; readonly size: number } {
  const maxSize = Math.min(limit, MAX_SIZE);
  const path: (string | number)[] = [];
  let nodes = 0;
  let characters = 0;
  let failure: JsonError | undefined;

  function fault(depth: number, message: string, code: JsonError['code'] = 'NOT_JSON'): JsonError {
    return (failure = new JsonError(code, path.slice(0, depth).join('.'), message));
  }

  const tooLarge = (): JsonError => fault(0, `more than ${maxSize} characters of JSON`, 'TOO_LARGE');

  function copy(part: unknown, depth: number): Json {
    // Each node takes at least one character. This also stops a small value that contains the same large part many times.
    nodes += 1;
    if (nodes > maxSize) throw tooLarge();
    if (part === null || typeof part === 'boolean') return part;
    if (typeof part === 'string') {
      if (!part.isWellFormed()) throw fault(depth, 'a lone surrogate is not JSON');
      characters += part.length;
      return part;
    }
    if (typeof part === 'number' && Number.isFinite(part) && !Object.is(part, -0)) return part;
    if (typeof part === 'number') throw fault(depth, `${Object.is(part, -0) ? '-0' : part} is not JSON`);
    if (typeof part !== 'object') throw fault(depth, `${typeof part} is not JSON`);
    if (depth === MAX_DEPTH) throw fault(depth, `more than ${MAX_DEPTH} levels`);
    return Array.isArray(part) ? copyArray(part, depth) : copyObject(part, depth);
  }

  function copyArray(list: readonly unknown[], depth: number): Json {
    // V8 treats a stored or sent array as one that may have holes. Code that reads it turns the other arrays that it reads into
    // such arrays, and IndexedDB stores those at half the speed. So even an own array is replaced.
    const copied: Json[] = [];
    for (let index = 0; index < list.length; index += 1) {
      path[depth] = index;
      copied.push(copy(list[index], depth + 1));
    }
    return copied;
  }

  function copyObject(whole: object, depth: number): Json {
    const prototype: unknown = Object.getPrototypeOf(whole);
    // Plain objects of another realm pass too.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw fault(depth, 'an instance of a class is not JSON');
    }
    // A spread reads each member once.
    const copied: Record<string, Json> = { ...(whole as Record<string, Json>) };
    for (const key in copied) {
      path[depth] = key;
      if (key in Object.prototype || key === 'prototype')
        throw fault(depth + 1, 'a member cannot have this name');
      if (!key.isWellFormed()) throw fault(depth + 1, 'a lone surrogate is not JSON');
      characters += key.length;
      copied[key] = copy(copied[key], depth + 1);
    }
    return copied;
  }

  try {
    const copied = copy(value, 0);
    // JSON text has at most six characters for one, and 25 for a number. The exact size is needed only for a value that may be
    // too large.
    const mayBeLarge = characters * 6 + nodes * 25 > maxSize;
    if (mayBeLarge && JSON.stringify(copied).length > maxSize) throw tooLarge();
    return { copy: copied, size: characters + nodes * 4 };
  } catch {
    // A getter or a revoked proxy may throw anything.
    throw failure ?? new JsonError('NOT_JSON', '', 'a member cannot be read');
  }
}
