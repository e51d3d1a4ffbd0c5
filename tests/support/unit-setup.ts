import { vi } from 'vitest';

/**
 * Milliseconds for a condition to become true, within the limit of a unit test. The default of the libraries is one second,
 * too short for a busy machine.
 */
const timeout = 15_000;

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout, ...options });

if (typeof document !== 'undefined') {
  // Node 25 and newer have globals of these names, which are `undefined` without a file and hide those of happy-dom.
  for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(globalThis, name, { value: new Storage(), configurable: true, writable: true });
  }
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: timeout });
}
