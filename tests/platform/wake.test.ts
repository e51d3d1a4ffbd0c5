import { expect, it, onTestFinished, vi } from 'vitest';

import { listenToWakes, stayAwake } from '../../src/platform/wake.ts';
import { runtime, startTurn } from '../support/browser.ts';

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

// https://github.com/w3c/webextensions/issues/406 and https://github.com/SimonStnn/pop-a-loon/issues/58: a browser starts
// only backgrounds that listen to its start, and until then tasks wait and the toolbar button shows nothing.
it('lets the browser start the background when the browser starts', () => {
  startTurn();

  listenToWakes();

  expect(runtime.onStartup.hasListeners()).toBe(true);
});
