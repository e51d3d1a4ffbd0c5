import { defineConfig } from 'vitest/config';

/**
 * The tests that `npm run test:mutation` runs for each mutant of the core. The model is left out, because it would run for
 * every mutant and take seconds each time.
 */
export default defineConfig({
  test: {
    include: ['tests/messaging/**/*.test.ts'],
    exclude: ['tests/messaging/model.test.ts'],
    // With many mutants, a test never ends.
    testTimeout: 5_000,
    // One failed test is enough to kill a mutant.
    bail: 1,
  },
});
