import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with `N passed, N failed`. Each earlier part of `npm test` that failed counts as a failed test. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    // A file that cannot be loaded, a failed hook and an unhandled rejection are failures without a failed test.
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const failed =
      tests.filter((test) => test.result().state === 'failed').length +
      suites.filter((suite) => suite.errors().length > 0).length +
      errors.length +
      Number(process.env['FAILED_PARTS'] ?? 0);
    // The line comes after the output of all other reporters.
    process.once('exit', () => console.log(`${passed} passed, ${failed} failed`));
  }
}
