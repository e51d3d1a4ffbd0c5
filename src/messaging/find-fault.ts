import type { ErrorReport } from './call-error.ts';
import { measureJson } from './measure-json.ts';

/** Of UTF-8, for one UTF-16 unit of a text. */
const MOST_BYTES = 3;

/** Why a value cannot cross the wire: `NOT_JSON`, or `TOO_LARGE` for more than `maxBytes`. No value at all can. */
export function findFault(value: unknown, maxBytes = Infinity): ErrorReport | undefined {
  if (value === undefined) return undefined;

  let size = measureJson(value, maxBytes, (text) => MOST_BYTES * text.length);
  // To count the bytes of a large text takes a while, so it is done only when they could be too many.
  if (typeof size === 'number' && size > maxBytes) size = measureJson(value, maxBytes);
  if (typeof size !== 'number') {
    return { code: 'NOT_JSON', issues: [{ path: size.path, message: `${size.found} is not JSON` }] };
  }
  return size > maxBytes
    ? { code: 'TOO_LARGE', issues: [{ path: '', message: `more than ${maxBytes} bytes` }] }
    : undefined;
}
