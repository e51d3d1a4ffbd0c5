import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with `N passed, N failed`. A part of `npm test` that failed before counts as a test. */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    // A file that cannot even be loaded has failed without a failed test in it, and so has an unhandled rejection.
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0);
    const failed =
      tests.filter((test) => test.result().state === 'failed').length +
      broken.length +
      errors.length +
      Number(process.env['FAILED_PARTS'] ?? 0);
    // After everything that other reporters write.
    process.once('exit', () => console.log(`${passed} passed, ${failed} failed`));
  }
}
