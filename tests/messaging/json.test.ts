import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { copyJson, MAX_DEPTH } from '../../src/messaging/json.ts';

class Point {
  readonly x = 1;
}

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** Names of members that Firefox or a schema drops without an error. */
const unstorable = ['prototype', ...Object.getOwnPropertyNames(Object.prototype)];

const cycle: unknown[] = [];
cycle.push({ cycle });

describe('copyJson', () => {
  it('copies every JSON value that a wire and a store leave unchanged, up to the size that is allowed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(
          !unstorable.some((name) => text.includes(`"${name}"`)) && !/-0(?![.\d])/.test(fc.stringify(value)),
        );

        expect(copyJson(value, text.length)).toEqual(value);
        expect(() => copyJson(value, text.length - 1)).toThrow(
          expect.objectContaining({ code: 'TOO_LARGE' }),
        );
      }),
    );
  });

  it.each([
    ['NaN', Number.NaN, '', 'NaN is not JSON'],
    ['Infinity', [1, Infinity], '1', 'Infinity is not JSON'],
    ['-0, which arrives as 0', { a: -0 }, 'a', '-0 is not JSON'],
    ['undefined', undefined, '', 'undefined is not JSON'],
    ['a hole in an array', [1, , 2], '1', 'undefined is not JSON'], // oxlint-disable-line no-sparse-arrays -- what it is about
    ['an undefined member', { a: { b: undefined } }, 'a.b', 'undefined is not JSON'],
    ['a bigint', [1n], '0', 'bigint is not JSON'],
    ['a symbol', { a: Symbol('a') }, 'a', 'symbol is not JSON'],
    ['a function', { then: () => {} }, 'then', 'function is not JSON'],
    ['a date', { at: new Date(0) }, 'at', 'an instance of a class is not JSON'],
    ['a map', new Map(), '', 'an instance of a class is not JSON'],
    ['an instance of a class', new Point(), '', 'an instance of a class is not JSON'],
    ['a lone surrogate', ['a', 'a\uD800'], '1', 'a lone surrogate is not JSON'],
    ['a lone surrogate in a key', { 'a\uDC00': 1 }, 'a\uDC00', 'a lone surrogate is not JSON'],
    ['a second member after a deep first one', [{ a: { b: [1] } }, 1n], '1', 'bigint is not JSON'],
  ])('refuses %s and says where it is', (_what, value, path, message) => {
    expect(() => copyJson(value)).toThrow(
      expect.objectContaining({ code: 'NOT_JSON', issues: [{ path, message }] }),
    );
  });

  it.each(unstorable)('refuses a member named %s', (name) => {
    const value = { below: JSON.parse(`{"${name}":1}`) as unknown };

    expect(() => copyJson(value)).toThrow(
      expect.objectContaining({
        code: 'NOT_JSON',
        issues: [{ path: `below.${name}`, message: 'a member of this name cannot be stored' }],
      }),
    );
  });

  it('takes as many levels as both browsers store, and ends at a cycle', () => {
    const message = `more than ${MAX_DEPTH} levels`;

    expect(copyJson(nest(MAX_DEPTH))).toEqual(nest(MAX_DEPTH));
    expect(() => copyJson(nest(MAX_DEPTH + 1))).toThrow(message);
    expect(() => copyJson(cycle)).toThrow(message);
  });

  it('ends early for a value that contains the same part many times', () => {
    let value: unknown = 1;
    for (let level = 0; level < 60; level += 1) value = [value, value];

    expect(() => copyJson(value, 1_000)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  });

  it('counts the characters of a table exactly, whatever its rows are made of', () => {
    const row = {
      id: 1,
      'a "name"': 'x'.repeat(200),
      isOpen: false,
      at: -1.5e-7,
      tags: ['\n', null, {}, []],
    };
    const table = { rows: Array.from({ length: 50 }, () => row) };
    const size = JSON.stringify(table).length;

    expect(copyJson(table, size)).toEqual(table);
    expect(() => copyJson(table, size - 1)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  });

  it.each(['\u0001', 'é', 'a', '"'])('counts the characters of JSON that %j takes', (character) => {
    const text = character.repeat(100);
    const size = JSON.stringify(text).length;

    expect(copyJson(text, size)).toBe(text);
    expect(() => copyJson(text, size - 1)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  });

  it('takes an object without a prototype', () => {
    expect(copyJson(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
  });

  it('copies what a getter, a proxy or an array of a subclass returns', () => {
    class List extends Array<number> {
      toJSON(): string {
        return 'other';
      }
    }
    let reads = 0;
    const awkward = {
      get count() {
        return (reads += 1);
      },
      proxy: new Proxy({ a: 1 }, {}),
      list: List.from([1, 2]),
    };

    const copy = copyJson(awkward);

    expect([copy, copy].map((value) => JSON.stringify(value))).toEqual(
      Array(2).fill('{"count":1,"proxy":{"a":1},"list":[1,2]}'),
    );
  });

  it('refuses values that cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    for (const value of [
      proxy,
      { below: proxy },
      {
        get bad(): never {
          throw proxy as Error;
        },
      },
    ]) {
      expect(() => copyJson(value)).toThrow(
        expect.objectContaining({
          code: 'NOT_JSON',
          issues: [{ path: '', message: 'a member cannot be read' }],
        }),
      );
    }
  });

  it.each<[string, unknown]>([
    ['a digit', 7],
    ['numbers', Array(10).fill(1)],
    ['booleans', Array(10).fill(true)],
    ['nulls', Array(10).fill(null)],
    ['empty arrays', Array.from({ length: 10 }, () => [])],
    ['members', Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`member${index}`, 1]))],
    ['long names', { ['n'.repeat(200)]: 1 }],
    ['escapes', '\n'.repeat(20)],
  ])('counts %s as JSON', (_what, value) => {
    const { length } = JSON.stringify(value);

    expect(copyJson(value, length)).toEqual(value);
    expect(() => copyJson(value, length - 1)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  });
});
