import type { ErrorReport } from './call-error.ts';
import { measureJson } from './measure-json.ts';

/** Of UTF-8, for a UTF-16 unit. What is small enough even so needs no counting. */
const MOST_BYTES_A_UNIT = 3;

/** Why a value cannot cross the wire: `NOT_JSON`, or `TOO_LARGE` for more than `maxBytes`. No value at all can. */
export function findFault(value: unknown, maxBytes = Infinity): ErrorReport | undefined {
  if (value === undefined) return undefined;

  const guess = measureJson(value, maxBytes, MOST_BYTES_A_UNIT);
  const size = Number(guess) > maxBytes ? measureJson(value, maxBytes) : guess;
  if (typeof size !== 'number') {
    return { code: 'NOT_JSON', issues: [{ path: size.path, message: `${size.found} is not JSON` }] };
  }
  return size > maxBytes
    ? { code: 'TOO_LARGE', issues: [{ path: '', message: `more than ${maxBytes} bytes` }] }
    : undefined;
}
