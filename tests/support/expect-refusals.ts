import { expect } from 'vitest';

import type { Refusal } from './change-until-refused.ts';

/** Every refusal was told of, and has changed nothing. */
export function expectRefusals(refusals: readonly Refusal[], count: number): void {
  expect(refusals).toHaveLength(count);
  for (const { told, before, during } of refusals) {
    expect(told).toMatch(/^The theme was not saved\.The browser could not store it\. Nothing was changed\./);
    expect(during).toBe(before);
  }
}
