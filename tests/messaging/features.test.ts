import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineFeature, joinProcedures } from '../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { testCallers } from '../support/counter.ts';

const { query } = proceduresFor(testCallers);

const procedure = query({ callers: ['popup'], output: v.null(), handle: () => null });

const featureWith = (name: string, declared = procedure) => ({
  ...defineFeature({}),
  procedures: { [name]: declared },
});

const [one, two] = [featureWith('a.one'), featureWith('a.two')];
/** A name of 100 characters. */
const long = `a.${'x'.repeat(98)}` as const;

it('features are joined in the order in which they are listed', () => {
  // The same procedure may come from several features.
  const joined = joinProcedures([one, two, featureWith(long), one]);

  expect(Object.keys(joined)).toEqual(['a.one', 'a.two', long]);
});

it.each([
  [[one, two, featureWith('a.one', { ...procedure })], 'Two features have a procedure "a.one".'],
  [[featureWith(`${long}x`)], `"${long}x" has more than 100 characters.`],
])('features cannot be joined if a name is taken or too long', (features, message) => {
  expect(() => joinProcedures(features)).toThrow(new TypeError(message));
});
