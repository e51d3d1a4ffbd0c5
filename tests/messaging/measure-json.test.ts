import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { measureJson } from '../../src/messaging/measure-json.ts';

class Point {
  readonly x = 1;
}

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const cycle: unknown[] = [];
cycle.push({ cycle });

describe('measureJson', () => {
  it('takes every JSON value that a wire leaves as it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const isUnchanged =
          !JSON.stringify(value).includes('"__proto__"') && !/-0(?![.\d])/.test(fc.stringify(value));
        fc.pre(isUnchanged);

        expect(measureJson(value)).toBeTypeOf('number');
      }),
    );
  });

  it('counts texts and keys in bytes of UTF-8, however long they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200, size: 'max' }), (text) => {
        const bytes = Buffer.byteLength(text);

        expect(measureJson(text)).toBe(bytes);
        expect(measureJson([text])).toBe(bytes + 8);
        expect(measureJson({ [`${text} `]: null })).toBe(bytes + 1 + 16);
      }),
    );
  });

  it.each([
    ['NaN', Number.NaN, '', 'NaN'],
    ['Infinity', [1, Infinity], '1', 'Infinity'],
    ['-0, which comes out as 0', { a: -0 }, 'a', '-0'],
    ['undefined', undefined, '', 'undefined'],
    ['a hole in an array', [1, , 2], '1', 'undefined'], // oxlint-disable-line no-sparse-arrays -- what it is about
    ['an undefined member', { a: { b: undefined } }, 'a.b', 'undefined'],
    ['a bigint', [1n], '0', 'bigint'],
    ['a symbol', { a: Symbol('a') }, 'a', 'symbol'],
    ['a function', { then: () => {} }, 'then', 'function'],
    ['a date', { at: new Date(0) }, 'at', 'no plain object'],
    ['a map', new Map(), '', 'no plain object'],
    ['an instance of a class', new Point(), '', 'no plain object'],
    ['a lone surrogate', 'a\uD800', '', 'a lone surrogate'],
    ['a lone surrogate in a key', { 'a\uDC00': 1 }, 'a\uDC00', 'a lone surrogate'],
    ['a forbidden key', JSON.parse('{"a":{"__proto__":1}}'), 'a.__proto__', '__proto__'],
    ['101 levels', nest(101), `${'0.'.repeat(99)}0`, 'too many levels'],
  ])('refuses %s and says where it stands', (_what, value, path, found) => {
    expect(measureJson(value)).toEqual({ path, found });
  });

  it('takes 100 levels and ends at a cycle', () => {
    expect(measureJson(nest(100))).toBeTypeOf('number');
    expect(measureJson(cycle)).toMatchObject({ found: 'too many levels' });
  });

  it('ends early for what holds the same part many times over', () => {
    let value: unknown = 1;
    for (let level = 0; level < 60; level += 1) value = [value, value];

    expect(measureJson(value, 1_000)).toBeGreaterThan(1_000);
  });

  it('takes an object without a prototype', () => {
    expect(measureJson(Object.assign(Object.create(null), { a: 1 }))).toBe(17);
  });
});
