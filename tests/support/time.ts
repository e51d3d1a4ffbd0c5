import { afterEach, beforeEach, vi } from 'vitest';

export const [SECOND, HOUR] = [1_000, 60 * 60 * 1_000];

/** Gives each test of a file fake timers, which start with the year 2026. */
export function withFakeTimers(): void {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0) }));
  afterEach(() => void vi.useRealTimers());
}

/** Lets this time pass on the fake timers. */
export const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
