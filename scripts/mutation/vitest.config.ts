import { defineConfig } from 'vitest/config';

/**
 * The tests that each change of the core is run against by `npm run test:mutation`. The model of random histories and the
 * bundle sizes are left out: they see every change, and take seconds each time.
 */
export default defineConfig({
  test: {
    include: ['tests/messaging/*.test.ts'],
    exclude: ['tests/messaging/{model,size}.test.ts'],
    testTimeout: 30_000,
    // The first test that notices is enough.
    bail: 1,
  },
});
