import fc from 'fast-check';
import { expect, it } from 'vitest';

import { checkJson, copyJson, type JsonError, MAX_DEPTH } from '../../src/messaging/wire/json.ts';

/** An array whose `toJSON` returns something else. */
class List extends Array<number> {
  toJSON(): string {
    return 'other';
  }
}

const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
const ten = (value: unknown): unknown[] => Array.from({ length: 10 }, () => value);

const cycle: unknown[] = [];
cycle.push({ cycle });

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

/** Names of members that Firefox or a schema drops without an error. */
const unstorable = ['prototype', ...Object.getOwnPropertyNames(Object.prototype)];

const notJson = (path: string, message: string): unknown =>
  expect.objectContaining({ code: 'NOT_JSON', issues: [{ path, message }] });

/** Copies a value with a limit of exactly its size, in which an escaped character counts once, and with a lower limit. */
function copyTight(value: unknown): unknown[] {
  const { length } = JSON.stringify(value).replaceAll(/\\(?:u.{4}|.)/gu, 'x');
  return [length, length - 1].map((size) => {
    try {
      return copyJson(value, size);
    } catch (error) {
      return (error as JsonError).code;
    }
  });
}

it('copyJson copies JSON values that wires and stores do not change, up to the allowed size', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!unstorable.some((name) => text.includes(`"${name}"`)));
      fc.pre(!/-0(?![.\d])/.test(fc.stringify(value)));

      expect(copyTight(value)).toEqual([value, 'TOO_LARGE']);
    }),
  );
});

it.each<[string, unknown]>([
  ['a digit', 7],
  ['numbers', ten(1)],
  ['booleans', ten(true)],
  ['nulls', ten(null)],
  ['empty arrays', ten([])],
  ['members', Object.fromEntries(ten(1).map((one, index) => [`member${index}`, one]))],
  ['long names', { ['n'.repeat(200)]: 1 }],
  ['a short text of escapes', '\n'.repeat(20)],
  ['a text of controls', '\u0001'.repeat(100)],
  ['a text of quotes', '"'.repeat(100)],
  ['a text of letters', 'a'.repeat(100)],
  ['a text of accents', 'é'.repeat(100)],
  [
    'a table',
    ten({ id: 1, 'a "name"': 'x'.repeat(200), isOpen: false, at: -1.5e-7, tags: ['\n', null, {}, []] }),
  ],
])('copyJson counts the characters of %s exactly', (_what, value) => {
  expect(copyTight(value)).toEqual([value, 'TOO_LARGE']);
});

it('copyJson ends early for a value that contains the same part many times', () => {
  let value: unknown = 1;
  for (let level = 0; level < 60; level += 1) value = [value, value];

  expect(() => copyJson(value, 1_000)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
});

it('copyJson limits a value to 20 Mi characters, even if its limit is higher', () => {
  const value = 'x'.repeat(20 * 1024 * 1024);

  expect(() => copyJson(value, Infinity)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
});

it.each([
  ['NaN', Number.NaN, '', 'NaN is not JSON'],
  ['-0, which JSON turns into 0', { a: -0 }, 'a', '-0 is not JSON'],
  ['undefined', undefined, '', 'undefined is not JSON'],
  ['a hole in an array', [1, , 2], '1', 'undefined is not JSON'], // oxlint-disable-line no-sparse-arrays -- the test needs a hole
  ['a bigint', [1n], '0', 'bigint is not JSON'],
  ['a function', { then: () => {} }, 'then', 'function is not JSON'],
  ['a date', { at: new Date(0) }, 'at', 'an instance of a class is not JSON'],
  ['a lone surrogate', ['a', 'a\uD800'], '1', 'a lone surrogate is not JSON'],
  ['a lone surrogate in a key', { 'a\uDC00': 1 }, 'a\uDC00', 'a lone surrogate is not JSON'],
  ['a second member after a deep first one', [{ a: { b: [1] } }, 1n], '1', 'bigint is not JSON'],
  ['a revoked proxy', revoked, '', 'a member cannot be read'],
])('copyJson refuses %s and says where it is', (_what, value, path, message) => {
  for (const examine of [copyJson, checkJson]) expect(() => examine(value)).toThrow(notJson(path, message));
});

it('checkJson returns the value itself, and counts it like copyJson', () => {
  const value = { list: [1, 'two', null, { three: true }] };
  const { length } = JSON.stringify(value);

  expect(checkJson(value, length)).toBe(value);
  expect(() => checkJson(value, length - 1)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
});

it.each(['"'.repeat(11 * 1024 * 1024), ['\u0001'.repeat(11 * 1024 * 1024)]])(
  'copyJson refuses texts that are too large for a message once they are escaped',
  (value) => {
    expect(() => copyJson(value)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  },
);

it.each(unstorable)('copyJson refuses a member named %s', (name) => {
  const value = { below: JSON.parse(`{"${name}":1}`) as unknown };

  expect(() => copyJson(value)).toThrow(notJson(`below.${name}`, 'a member cannot have this name'));
});

it('copyJson copies MAX_DEPTH levels, and refuses more levels and cycles', () => {
  const message = `more than ${MAX_DEPTH} levels`;

  expect(copyJson(nest(MAX_DEPTH))).toEqual(nest(MAX_DEPTH));
  expect(() => copyJson(nest(MAX_DEPTH + 1))).toThrow(message);
  expect(() => copyJson(cycle)).toThrow(message);
});

it('copyJson copies the values of a getter, a proxy, an array of a subclass and an object without a prototype', () => {
  let reads = 0;
  const awkward = {
    get count() {
      return (reads += 1);
    },
    proxy: new Proxy({ a: 1 }, {}),
    list: List.from([1, 2]),
    bare: Object.assign(Object.create(null), { a: 1 }) as object,
  };

  const copy = copyJson(awkward);

  const text = '{"count":1,"proxy":{"a":1},"list":[1,2],"bare":{"a":1}}';
  expect([JSON.stringify(copy), JSON.stringify(copy)]).toEqual([text, text]);
});
