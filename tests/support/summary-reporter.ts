import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with `N passed, N failed`. Each earlier part of `npm test` that failed counts as a failed test. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    // A file that cannot be loaded is a failure without a failed test. So is an unhandled rejection, which is in `errors`.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0);
    const failed =
      tests.filter((test) => test.result().state === 'failed').length +
      broken.length +
      errors.length +
      Number(process.env['FAILED_PARTS'] ?? 0);
    // The line comes after the output of all other reporters.
    process.once('exit', () => console.log(`${passed} passed, ${failed} failed`));
  }
}
