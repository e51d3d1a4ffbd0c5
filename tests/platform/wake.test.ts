import { runtime } from 'webextension-polyfill';
import { expect, it, onTestFinished, vi } from 'vitest';

import { stayAwake } from '../../src/platform/wake.ts';

it('keeps the background awake from the start until it is ended', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const called: number[] = [];
  Object.assign(runtime, { getPlatformInfo: async () => called.push(Date.now() - startedAt) });
  const startedAt = Date.now();

  const end = stayAwake();
  vi.advanceTimersByTime(45_000);
  end();
  vi.advanceTimersByTime(60_000);

  expect(called).toEqual([0, 20_000, 40_000]);
});
