import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { type BrowserName, browserNames } from './scripts/browsers/find-browser.ts';
import { SummaryReporter } from './tests/support/summary-reporter.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser in which a suite of tests/browser or tests/soak runs. */
    readonly browserName: BrowserName;
    /** Set for `npm run test:soak`, which repeats each scenario many more times. */
    readonly isSoak: boolean;
    /** Folder for the profiles of the browsers. It is removed after the suite. */
    readonly profiles: string;
    /** The error if the browser could not be started. */
    readonly browserFailure: string;
  }
}

/** Limits of unit tests in ms. A test that never settles must not hold up the person who runs it. */
const unit = { testTimeout: 20_000, hookTimeout: 20_000 } as const;
/** Limits in ms. The longest test takes a minute, and three on a busy machine. Tests of the soak take up to half an hour. */
const limit = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } } as const;
const soak = { ...limit, testTimeout: 3_600_000, maxWorkers: 1 } as const;

/** Tests of one feature that run in a browser. */
const FEATURES_IN_BROWSER = 'tests/features/*/browser/**/*.test.ts';
const IN_BROWSER = ['tests/browser/**/*.test.ts', FEATURES_IN_BROWSER];
/** Files of `tests/browser` that the soak repeats, in addition to the tests of features. */
const SOAKED = [
  'accessibility',
  'damaged-storage',
  'disk-full',
  'events',
  'facts',
  'malformed-frames',
  'sleep',
  'tasks',
  'worker-death',
];
/** Tests of the soak that run without a browser, or start one themselves. */
const SOAKED_BUILDS = 'tests/soak/builds/**/*.test.ts';

/** Runs more files in parallel than there are processors, because tests often wait, most of all until a worker stops. */
const end2end = { sequence: { groupOrder: 1 }, maxWorkers: 2 * availableParallelism() } as const;

/**
 * Starts the longest tests first, then one project after the other. If the next file belongs to another
 * project, Vitest ends the process of the last file and its browser, so this order starts fewer browsers.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is not the method of an array
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification): string =>
      /\/(?:sleep|accessibility)\.test\.ts$/.test(moduleId) ? '' : project.name;
    return sorted.toSorted((a, b) => rank(a).localeCompare(rank(b)));
  }
}

export default defineConfig({
  test: {
    reporters: ['default', new SummaryReporter()],
    // Otherwise, what a background logs just after the last test makes the run fail: vitest-dev/vitest#11153.
    disableConsoleIntercept: true,
    sequence: { sequencer: ProjectByProject },
    projects: [
      {
        extends: './vite.config.ts',
        resolve: { alias: { 'webextension-polyfill': resolve('tests/support/browser.ts') } },
        test: {
          ...unit,
          name: 'unit',
          setupFiles: 'tests/support/unit-setup.ts',
          restoreMocks: true,
          unstubGlobals: true,
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/{bench,browser,packages,soak}/**', FEATURES_IN_BROWSER],
          maxWorkers: availableParallelism(),
          // Loading the modules once for all files takes a third less time.
          isolate: false,
        },
      },
      // Checks builds and packages without a browser.
      { test: { ...limit, ...end2end, name: 'builds', include: ['tests/packages/**/*.test.ts'] } },
      { test: { ...soak, name: 'soak-builds', include: [SOAKED_BUILDS] } },
      ...browserNames.flatMap((browser) => [
        browserProject(browser, { ...limit, ...end2end, include: IN_BROWSER }),
        browserProject(`soak-${browser}`, {
          ...soak,
          include: [
            'tests/soak/**/*.test.ts',
            `tests/browser/{${SOAKED.join(',')}}.test.ts`,
            FEATURES_IN_BROWSER,
          ],
          exclude: [SOAKED_BUILDS],
        }),
      ]),
    ],
  },
});

/** Returns the project that runs a suite in one browser. */
function browserProject(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  const browserName = browserNames.find((browser) => name.endsWith(browser)) ?? 'chromium';
  return {
    extends: './vite.config.ts',
    test: {
      ...test,
      name,
      provide: { browserName, isSoak: name.startsWith('soak-') },
      globalSetup: 'tests/support/prepare-browser.ts',
      setupFiles: 'tests/support/require-browser.ts',
      // The modules are loaded once for all files. Tests are isolated because each one starts its own browser.
      isolate: false,
    },
  };
}
