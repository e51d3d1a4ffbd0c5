import { expect } from 'vitest';

import type { DamagedOpening } from './open-damaged.ts';

/** Every page has come within 5 s with what was stored, or with a word on what became of it. */
export function expectDamageShown(openings: readonly DamagedOpening[]): void {
  const wrong = openings.filter(
    ({ duration, theme, notice }) => duration > 5_000 || (theme !== 'Dark' && notice === undefined),
  );
  expect(wrong).toEqual([]);
}
