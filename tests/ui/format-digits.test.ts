import { expect, it } from 'vitest';

import { translateWith } from '../../scripts/prerender/translate-with.ts';
import { formatDigits } from '../../src/ui/format-digits.ts';
import { english } from '../support/english.ts';

it('says a whole number in the digits of the language, as Intl does', () => {
  const persian = translateWith({ text_digits: { message: '۰۱۲۳۴۵۶۷۸۹' } });

  expect([0, 9, 12].map((number) => formatDigits(number, english))).toEqual(['0', '9', '12']);
  expect([0, 9, 12].map((number) => formatDigits(number, persian))).toEqual(
    [0, 9, 12].map((number) => new Intl.NumberFormat('fa').format(number)),
  );
});
