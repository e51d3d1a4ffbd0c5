import { expect } from 'vitest';

import type { DamagedOpening } from './open-damaged.ts';

/** Every page has come within 5 s with what was stored, with the defaults, or with a word on what is wrong. */
export function expectDamageShown(openings: readonly DamagedOpening[]): void {
  const wrong = openings.filter(({ duration, theme, notice }) => {
    const isShown = theme === 'Dark' || theme === 'Same as the system' || notice !== undefined;
    return !isShown || duration > 5_000;
  });
  expect(wrong).toEqual([]);
}
