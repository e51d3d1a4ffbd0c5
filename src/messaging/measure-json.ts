/** Where a value stops being JSON, and what stands there. */
export interface JsonFault {
  /** Keys from the value down, joined by dots; empty for the value itself. */
  readonly path: string;
  readonly found: string;
}

/** How deep arrays and objects may be nested. A cycle ends here too. */
const MAX_DEPTH = 100;

/** What a browser takes as one message, in bytes: "Message exceeded maximum allowed size of 64MiB". */
const MOST_BYTES = 64 * 1024 * 1024;

const encoder = new TextEncoder();

/**
 * Proves in one walk that `value` is JSON and says how large it is: bytes of UTF-8 in its texts and keys and 8 for
 * anything else. What a wire or a store would change on the way (NaN, -0, `undefined` members, dates, lone surrogates)
 * or could be used to reach a prototype is a fault. Ends early, with what it has counted, when that is more than `most`:
 * a clone may hold the same part many times over.
 *
 * @param depth of arrays and objects around it
 */
export function measureJson(value: unknown, most = MOST_BYTES, depth = 0): number | JsonFault {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? countBytes(value) : fault('a lone surrogate');
    case 'number':
      if (Object.is(value, -0)) return fault('-0');
      return Number.isFinite(value) ? 8 : fault(String(value));
    case 'boolean':
      return 8;
    case 'object':
      return value === null ? 8 : measureMembers(value, most, depth + 1);
    default:
      return fault(typeof value);
  }
}

function countBytes(text: string): number {
  return encoder.encode(text).length;
}

function measureMembers(value: object, most: number, depth: number): number | JsonFault {
  if (depth > MAX_DEPTH) return fault('too many levels');
  const isList = Array.isArray(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isList && prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return fault('no plain object');
  }

  let bytes = 8;
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (key === '__proto__') return below(key, fault(key));
    const name = isList ? 0 : measureJson(key, most, depth);
    const size = measureJson((value as Readonly<Record<PropertyKey, unknown>>)[key], most - bytes, depth);
    if (typeof name !== 'number') return below(key, name);
    if (typeof size !== 'number') return below(key, size);
    bytes += name + size;
    if (bytes > most) return bytes;
  }
  return bytes;
}

function fault(found: string): JsonFault {
  return { path: '', found };
}

function below(key: string | number, { path, found }: JsonFault): JsonFault {
  return { path: `${key}${path && `.${path}`}`, found };
}
