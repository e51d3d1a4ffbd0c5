import type { Json } from './json.ts';

/**
 * A copy of what was proven to be JSON, that shares nothing with it but its texts: what is sent or stored later, or more
 * than once, has to be what it was when it was proven. Reads a `Proxy` as what it stands for, which no clone does.
 */
export function copyJson<Value extends Json | undefined>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value)
    ? value.map((member: Json) => copyJson(member))
    : Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copyJson(member)]));
  return copy as Value;
}
