import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

/** A value that `JSON.parse(JSON.stringify(value))` does not change. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * `T` with `never` for every part that is not JSON, so that `T extends JsonOf<T>` is true for JSON only. A member of type
 * `undefined` is not JSON, because it is lost on the wire. Declare it as exactly optional instead.
 *
 * `Unknown` replaces parts of unknown type: `unknown` accepts them.
 */
export type JsonOf<T, Unknown = never> = T extends Json
  ? T
  : unknown extends T
    ? Unknown
    : T extends (...parameters: never[]) => unknown
      ? never
      : T extends object
        ? { [Key in keyof T]: Key extends symbol ? never : JsonOf<T[Key], Unknown> }
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

/** Maximum size of a value. A character takes at most 3 bytes, and Chromium refuses messages above 64 MiB. */
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
 * @param limit maximum size: characters of its JSON text, where an escaped one counts once; never more than 20 Mi
 * @throws JsonError with the path of the first fault
 */
export function copyJson(value: unknown, limit?: number): Json {
  return examine(value, limit, true).json;
}

/** Copies a value like `copyJson`, and returns its size too. */
export function measureJson(value: unknown): { readonly copy: Json; readonly size: number } {
  const { json, size } = examine(value, MAX_SIZE, true);
  return { copy: json, size };
}

/** Checks a value like `copyJson`, without a copy, because no other code has it. This is so for a value that was received. */
export function checkJson(value: unknown, limit?: number): Json {
  return examine(value, limit, false).json;
}

function examine(value: unknown, limit = MAX_SIZE, isCopied: boolean) {
  const maxSize = Math.min(limit, MAX_SIZE);
  const path: (string | number)[] = [];
  /** Names of members that were checked. The records of a list repeat them. */
  const names = new Set<string>();
  let size = 0;
  let failure: JsonError | undefined;

  function fault(depth: number, message: string, code: JsonError['code'] = 'NOT_JSON'): JsonError {
    return (failure = new JsonError(code, path.slice(0, depth).join('.'), message));
  }

  const tooLarge = (): JsonError => fault(0, `more than ${maxSize} characters of JSON`, 'TOO_LARGE');

  function visit(part: unknown, depth: number): Json {
    // This also stops a small value that contains the same large part many times.
    if (size > maxSize) throw tooLarge();
    switch (typeof part) {
      case 'string':
        if (!part.isWellFormed()) throw fault(depth, 'a lone surrogate is not JSON');
        size += part.length + 2;
        return part;
      case 'number':
        if (!Number.isFinite(part) || Object.is(part, -0)) {
          throw fault(depth, `${Object.is(part, -0) ? '-0' : part} is not JSON`);
        }
        size += String(part).length;
        return part;
      case 'boolean':
        size += part ? 4 : 5;
        return part;
      case 'object':
        if (part === null) {
          size += 4;
          return part;
        }
        if (depth === MAX_DEPTH) throw fault(depth, `more than ${MAX_DEPTH} levels`);
        return Array.isArray(part) ? visitArray(part, depth) : visitObject(part, depth);
      default:
        throw fault(depth, `${typeof part} is not JSON`);
    }
  }

  function visitArray(list: readonly unknown[], depth: number): Json {
    // V8 treats a stored or sent array as one that may have holes. Code that reads it turns the other arrays that it reads into
    // such arrays, and IndexedDB stores those at half the speed. So a copy never starts as an array of this length.
    const copied: Json[] = [];
    for (let index = 0; index < list.length; index += 1) {
      path[depth] = index;
      const item = visit(list[index], depth + 1);
      if (isCopied) copied.push(item);
    }
    // The brackets, and a comma between two items.
    size += Math.max(2, list.length + 1);
    return isCopied ? copied : (list as Json);
  }

  function visitObject(whole: object, depth: number): Json {
    const prototype: unknown = Object.getPrototypeOf(whole);
    // Plain objects of another realm pass too.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      throw fault(depth, 'an instance of a class is not JSON');
    }
    // A spread reads each member once.
    const members = (isCopied ? { ...whole } : whole) as Record<string, Json>;
    let isFirst = true;
    for (const key in members) {
      path[depth] = key;
      if (!names.has(key)) {
        if (key in Object.prototype || key === 'prototype') {
          throw fault(depth + 1, 'a member cannot have this name');
        }
        if (!key.isWellFormed()) throw fault(depth + 1, 'a lone surrogate is not JSON');
        names.add(key);
      }
      // The quotes and the colon, and a comma between two members.
      size += key.length + (isFirst ? 3 : 4);
      isFirst = false;
      const member = members[key];
      const examined = visit(member, depth + 1);
      // Only copies of objects and arrays are stored, because most members are neither.
      if (examined !== member) members[key] = examined;
    }
    // The braces.
    size += 2;
    return members;
  }

  try {
    const json = visit(value, 0);
    if (size > maxSize) throw tooLarge();
    // Up to half of the limit, a message is not too large even if each character is escaped.
    if (size > MAX_SIZE / 2 && JSON.stringify(json).length > MAX_SIZE) throw tooLarge();
    return { json, size };
  } catch {
    // A getter or a revoked proxy may throw anything.
    throw failure ?? new JsonError('NOT_JSON', '', 'a member cannot be read');
  }
}
