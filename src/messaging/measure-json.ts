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

/** Made when it is first needed, which is seldom: that takes as long as the rest of a call. */
let encoder: TextEncoder | undefined;

/**
 * Proves in one walk that `value` is JSON and says how large it is: bytes of UTF-8 in its texts and keys and 8 for
 * anything else. What a wire or a store would change on the way (NaN, -0, `undefined` members, dates, lone surrogates)
 * or could be used to reach a prototype is a fault. Ends early, with what it has counted, when that is more than
 * `most`: a clone may hold the same part many times over.
 *
 * @param bytesAUnit what a UTF-16 unit of a text is taken for; 0 counts, which takes as long as to send the text
 */
export function measureJson(value: unknown, most = MOST_BYTES, bytesAUnit = 0): number | JsonFault {
  const path: (string | number)[] = [];
  let bytes = 0;

  /** What is found at `path` that is no JSON. */
  function walk(part: unknown): string | undefined {
    if (typeof part === 'string') {
      bytes += part.length * bytesAUnit || (encoder ??= new TextEncoder()).encode(part).length;
      return part.isWellFormed() ? undefined : 'a lone surrogate';
    }

    bytes += 8;
    if (typeof part === 'object') return part === null ? undefined : walkMembers(part);
    if (Object.is(part, -0)) return '-0';
    const isKept = typeof part === 'boolean' || Number.isFinite(part);
    return isKept ? undefined : typeof part === 'number' ? `${part}` : typeof part;
  }

  function walkMembers(whole: object): string | undefined {
    const isList = Array.isArray(whole);
    const prototype: unknown = Object.getPrototypeOf(whole);
    if (!isList && prototype !== null && Object.getPrototypeOf(prototype) !== null) return 'no plain object';
    if (path.length === MAX_DEPTH) return 'too many levels';

    for (const key of isList ? whole.keys() : Object.keys(whole)) {
      if (bytes > most) break;
      path.push(key);
      const member = (whole as Readonly<Record<PropertyKey, unknown>>)[key];
      const found = key === '__proto__' ? key : ((isList ? undefined : walk(key)) ?? walk(member));
      if (found !== undefined) return found;
      path.pop();
    }
    return undefined;
  }

  const found = walk(value);
  return found === undefined ? bytes : { path: path.join('.'), found };
}
