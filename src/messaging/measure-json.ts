/** Where a value stops being JSON, and what stands there. */
export interface JsonFault {
  /** Keys from the value down, joined by dots; empty for the value itself. */
  readonly path: string;
  readonly found: string;
}

/** How deep arrays and objects may be nested. A cycle ends here too. */
const MAX_DEPTH = 100;

/**
 * Proves in one walk that `value` is JSON and says how large it is: bytes of UTF-8 in its texts and keys and 8 for
 * anything else, so that no second copy of a large message has to be made. What a wire or a store would change on the
 * way (NaN, -0, `undefined` members, dates, lone surrogates) or could be used to reach a prototype is a fault.
 *
 * @param bytesOf says how large a text is; one that does not look at its characters is quicker
 * @param depth of arrays and objects around it
 */
export function measureJson(
  value: unknown,
  bytesOf: (text: string) => number = countBytes,
  depth = 0,
): number | JsonFault {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? bytesOf(value) : fault('a lone surrogate');
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? 8
        : fault(Object.is(value, -0) ? '-0' : String(value));
    case 'boolean':
      return 8;
    case 'object':
      if (value === null) return 8;
      if (depth >= MAX_DEPTH) return fault(`more than ${MAX_DEPTH} levels`);
      if (!isPlain(value)) return fault(Object.prototype.toString.call(value));
      return measureMembers(value, bytesOf, depth + 1);
    default:
      return fault(typeof value);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function countBytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

function measureMembers(value: object, bytesOf: (text: string) => number, depth: number): number | JsonFault {
  const isList = Array.isArray(value);
  let bytes = 8;
  for (const key of isList ? value.keys() : Object.keys(value)) {
    if (key === '__proto__') return below(key, fault('a key that reaches the prototype'));
    const name = isList ? 0 : measureJson(key, bytesOf, depth);
    const size = measureJson((value as Readonly<Record<PropertyKey, unknown>>)[key], bytesOf, depth);
    if (typeof name !== 'number') return below(key, name);
    if (typeof size !== 'number') return below(key, size);
    bytes += name + size;
  }
  return bytes;
}

function fault(found: string): JsonFault {
  return { path: '', found };
}

function below(key: string | number, { path, found }: JsonFault): JsonFault {
  return { path: path === '' ? String(key) : `${key}.${path}`, found };
}
