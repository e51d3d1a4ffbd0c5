import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends the output with a line for each part of the run that failed, and `N passed, N failed`. The parts are the earlier parts
 * of `npm test`, each of which counts as one failed test, and the files of tests.
 */
export class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const earlier = JSON.parse(process.env['FAILED_PARTS'] ?? '[]') as readonly string[];
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const counted = modules.map((module) => [module, failuresOf(module)] as const);
    const inFiles = counted.reduce((sum, [, count]) => sum + count, 0);
    const lines = [
      ...earlier,
      ...counted.flatMap(([{ project, relativeModuleId }, count]) =>
        count === 0 ? [] : [`${relativeModuleId} (${project.name})`],
      ),
      ...(errors.length > 0 ? ['an error outside of the tests'] : []),
    ].map((part) => `Failed: ${part}`);
    const summary = `${passed} passed, ${earlier.length + inFiles + errors.length} failed`;
    // The lines come after the output of all other reporters.
    process.once('exit', () => console.log([...lines, summary].join('\n')));
  }
}

/** A file that cannot be loaded, and a hook that fails, are failures without a failed test. */
function failuresOf(module: TestModule): number {
  const tests = [...module.children.allTests()].filter((test) => test.result().state === 'failed');
  const suites = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  return tests.length + suites.length;
}
