/**
 * What `npm run test:mutation` runs. These mutants survive, since nothing that a page, a handler or the store can see
 * depends on them:
 *
 * - Texts for the log alone: the names of `JsonError` and `ProcedureError`.
 * - Values that are never used: an abort without a reason once the call has ended, the first outcome of a call, a default
 *   of `issues`, the key of a write without a journal entry, what `path` holds below the depth of a fault.
 * - One check of two: a call that was aborted sends nothing (`call.ts`, and `send` in `server.ts`); only mutations have
 *   `sentAt`, and only calls with a deadline check it; a thrown declared error without a schema fails a line later.
 * - Less work for the same result: `isOwn`, a member that is copied as it is, names that were checked, the exact count of
 *   what is certainly small, listeners that go with their controller, the second of two entries that are the same.
 * - Limits by one: a deadline of exactly 0 ms, a value of as many nodes as it may have characters.
 * - Iterators without `return`, and answers to calls that ended in between: neither is made by a handler or a browser.
 */
export default {
  mutate: ['src/messaging/**/*.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  // No file: Stryker would read it with an API that TypeScript 7 does not have.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'dist/mutation/report.json' },
  clearTextReporter: { logTests: false, allowColor: false, reportScoreTable: true },
  thresholds: { high: 95, low: 90, break: 85 },
  tempDirName: 'dist/mutation/sandbox',
  ignorePatterns: ['dist', '.cache', 'docs'],
};
