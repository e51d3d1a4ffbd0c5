import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { type BrowserName, browserNames } from './scripts/browsers/find-browser.ts';
import { SummaryReporter } from './tests/support/summary-reporter.ts';

/** `npm test`, `npm run test:release` or `npm run test:soak`. */
type Size = 'daily' | 'release' | 'soak';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser in which a suite of tests/browser, tests/release or tests/soak runs. */
    readonly browserName: BrowserName;
    /** The size of the run. Larger runs repeat scenarios more often, and try more variants of them. */
    readonly size: Size;
    /** Folder for the profiles of the browsers. It is removed after the suite. */
    readonly profiles: string;
    /** The error if there is no browser or no build. */
    readonly browserFailure: string;
  }
}

/** Limits of unit tests in ms. A test that never settles must not hold up the person who runs it. */
const unit = { testTimeout: 20_000, hookTimeout: 20_000 } as const;
/** Limits in ms. The longest test takes a minute, and three on a busy machine. Tests of the soak take up to half an hour. */
const limit = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } } as const;
const soak = { ...limit, testTimeout: 3_600_000, maxWorkers: 1 } as const;

/** Tests in a browser, of the extension and of its features. */
const IN_BROWSER = 'tests/{browser,features/*/browser}/**/*.test.ts';
/** Tests in a browser that only larger runs have. */
const ONLY_RELEASE = 'tests/{release,features/*/release}/*.test.ts';
const RELEASE_BUILDS = 'tests/{release,features/*/release}/builds/**/*.test.ts';
const ONLY_SOAK = 'tests/soak/*.test.ts';
const SOAK_BUILDS = 'tests/soak/builds/**/*.test.ts';
/** Tests that depend on the size of the run. */
const SIZED = [
  'tests/browser/{accessibility,closing-page,events,failures,keyboard,malformed-frames,sleep,tasks,worker-death}.test.ts',
  'tests/features/*/{browser,release}/*.test.ts',
];
/** Tests of `tests/release` that the soak repeats. */
const REPEATED = 'tests/release/{damaged-storage,disk-full,facts}.test.ts';

/** Runs more files in parallel than there are processors, because tests often wait, most of all until a worker stops. */
const end2end = { sequence: { groupOrder: 1 }, maxWorkers: availableParallelism() + 1 } as const;

/**
 * Runs one project after the other, and in each the longest tests first. If the next file belongs to another project or needs
 * another environment, Vitest ends the process of the last file and its browser, so this order starts the fewest of them.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this is not the method of an array
    const sorted = await super.sort(files);
    // Tests of components need a document.
    const place = (file: string): number =>
      /\/(?:sleep|accessibility)\.test\.ts$/.test(file) ? 0 : file.endsWith('.tsx') ? 1 : 2;
    const rank = ({ moduleId, project }: TestSpecification): string => `${project.name} ${place(moduleId)}`;
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
          exclude: [
            'tests/{bench,browser,packages,release,soak}/**',
            'tests/features/*/{browser,release}/**',
          ],
          maxWorkers: availableParallelism(),
          // Loading the modules once for all files takes a third less time.
          isolate: false,
        },
      },
      // Checks builds and packages without a browser.
      { test: { ...limit, ...end2end, name: 'builds', include: ['tests/packages/**/*.test.ts'] } },
      { test: { ...limit, ...end2end, name: 'release-builds', include: [RELEASE_BUILDS] } },
      { test: { ...soak, name: 'soak-builds', include: [SOAK_BUILDS] } },
      ...browserNames.flatMap((browser) => [
        browserProject(browser, 'daily', { ...limit, ...end2end, include: [IN_BROWSER] }),
        browserProject(browser, 'release', { ...limit, ...end2end, include: [ONLY_RELEASE, ...SIZED] }),
        browserProject(browser, 'soak', { ...soak, include: [ONLY_SOAK, REPEATED, ...SIZED] }),
      ]),
    ],
  },
});

/** Returns the project that runs a suite in one browser. */
function browserProject(
  browserName: BrowserName,
  size: Size,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return {
    extends: './vite.config.ts',
    test: {
      ...test,
      name: size === 'daily' ? browserName : `${size}-${browserName}`,
      provide: { browserName, size },
      globalSetup: 'tests/support/prepare-browser.ts',
      setupFiles: 'tests/support/require-browser.ts',
      // The modules are loaded once for all files. Tests are isolated because each one starts its own browser.
      isolate: false,
    },
  };
}
