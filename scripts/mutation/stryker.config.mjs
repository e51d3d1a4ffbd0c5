/** Configuration of `npm run test:mutation`, with the parts of the core that it does not change. */
export default {
  // The tests of the hooks render pages.
  mutate: ['src/messaging/**/*.ts', '!src/messaging/react/**'],
  testRunner: 'vitest',
  vitest: { configFile: 'scripts/mutation/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', import.meta.filename],
  ignorers: ['equivalents'],
  // Stryker would read tsconfig.json with an API that TypeScript 7 does not have.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'dist/mutation/report.json' },
  clearTextReporter: { logTests: false, allowColor: false, reportScoreTable: true },
  thresholds: { high: 97, low: 95, break: 93 },
  tempDirName: 'dist/mutation/sandbox',
  ignorePatterns: ['dist', '.cache', 'docs'],
};

/** Parts whose mutants do not change results for pages, handlers or the store: file, source text, reason. */
const EQUIVALENTS = [
  ['errors.ts', "'ProcedureError'", 'a name that only a log shows'],
  ['json.ts', "'JsonError'", 'a name that only a log shows'],
  ['json.ts', 'path: (string | number)[] = []', 'a path is read only as far down as it was written'],
  ['call.ts', 'issues = []', 'every failed input has issues; the type does not say so'],
  ['identify-caller.ts', "address = ''", 'neither this address nor a missing one is a page or a site'],
];

/*
 * More mutants survive for such reasons, but tests kill other mutants of the same expressions:
 *
 * - A value that is not used. `serve-port.ts`: the reason of the abort after a stream has ended.
 * - A check that is made twice. `serve-port.ts`: only mutations have `sentAt`, and only calls with a deadline check it.
 *   `call.ts`: a declared error without a schema fails one line later.
 * - A check that only the types need. `connection.ts`: there is a session while a call is not confirmed.
 * - A check that only saves work. `json.ts`: names that were checked, and the size above which escapes count.
 *   `client.ts` and `stream.ts`: an abort of a call that was not sent, and a request after a failure, are ignored.
 *   `state.ts`: the journal knows when it was last pruned.
 *   `serve-port.ts`: a timer without calls confirms nothing.
 * - A limit that is off by one. `client.ts`, `call.ts`, `waiting.ts`: a timeout of 1 ms, a deadline of exactly 0 ms.
 *   `connection.ts`: a start in the same millisecond.
 */

/**
 * Returns the reason for leaving out the mutants of a node, if there is one.
 *
 * @param {{ node: { start: number, end: number }, hub: { file: { code: string, opts: { filename: string } } } }} path
 */
function shouldIgnore({ node, hub: { file } }) {
  const source = file.code.slice(node.start, node.end);
  const name = file.opts.filename.split(/[\\/]/).at(-1);
  return EQUIVALENTS.find(([where, text]) => where === name && text === source)?.[2];
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'equivalents', value: { shouldIgnore } }];
