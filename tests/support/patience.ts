import { vi } from 'vitest';

/** Milliseconds for a condition to become true. The default of the libraries is one second, too short for a busy machine. */
const timeout = 120_000;

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout, ...options });

if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: timeout });
}
