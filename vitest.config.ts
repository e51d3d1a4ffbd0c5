import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { type BrowserName, browserNames } from './scripts/browsers/find-browser.ts';
import { sourcePlugins } from './scripts/source-plugins.ts';
import { SummaryReporter } from './tests/support/summary-reporter.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser that a suite in tests/browser or tests/soak runs in. */
    readonly browserName: BrowserName;
    /** Whether the suite is that of `npm run test:soak`, which repeats things many more times. */
    readonly isSoak: boolean;
    /** Folder for the profiles of the browsers that are started, removed after the suite. */
    readonly profiles: string;
  }
}

/** Milliseconds: far more than any test takes on a machine with other work. Those of the soak take up to half an hour. */
const limit = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000 } } } as const;
const soak = { ...limit, testTimeout: 3_600_000, maxWorkers: 1 } as const;

const GUIDE = 'tests/docs/adding-behaviour.test.ts';
/** Tests of one feature that run in a browser. */
const FEATURES_IN_BROWSER = 'tests/features/*/browser/**/*.test.ts';
const IN_BROWSER = ['tests/browser/**/*.test.ts', FEATURES_IN_BROWSER];
/** The files of `tests/browser` that the soak repeats, in addition to those of the features. */
const SOAKED = ['accessibility', 'damaged-storage', 'disk-full', 'malformed-frames', 'sleep', 'worker-death'];
const SKELETON = 'tests/docs/replace-the-skeleton.test.ts';
const SOAKED_PACKAGES = 'tests/soak/packages.test.ts';

/** Files at the same time: a browser spends much of a test waiting, for a worker to fall asleep above all. */
const end2end = { sequence: { groupOrder: 1 }, maxWorkers: 2 * availableParallelism() } as const;

/**
 * Tests that wait for minutes start first and run in parallel with all others. Then one project after the other: where the
 * next file is of another project, vitest ends the process that has run this one, and with it a browser.
 */
class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not a method of an array
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification): string =>
      moduleId.endsWith('/sleep.test.ts') ? '' : project.name;
    return sorted.toSorted((a, b) => rank(a).localeCompare(rank(b)));
  }
}

export default defineConfig({
  test: {
    reporters: ['default', new SummaryReporter()],
    sequence: { sequencer: ProjectByProject },
    projects: [
      {
        plugins: sourcePlugins(),
        test: {
          ...limit,
          name: 'unit',
          setupFiles: 'tests/support/patience.ts',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/{bench,browser,packages,soak}/**', FEATURES_IN_BROWSER, GUIDE, SKELETON],
          maxWorkers: availableParallelism(),
          // The modules are loaded once for all files: a third less time.
          isolate: false,
        },
      },
      // What `npm run package` writes, and the project with the guide's example in it: builds, seen without a browser.
      { test: { ...limit, ...end2end, name: 'builds', include: ['tests/packages/**/*.test.ts', GUIDE] } },
      { test: { ...soak, name: 'soak-builds', include: [SKELETON, SOAKED_PACKAGES] } },
      ...browserNames.flatMap((browser) => [
        browserProject(browser, { ...limit, ...end2end, include: IN_BROWSER }),
        browserProject(`soak-${browser}`, {
          ...soak,
          include: [
            'tests/soak/**/*.test.ts',
            `tests/browser/{${SOAKED.join(',')}}.test.ts`,
            FEATURES_IN_BROWSER,
          ],
          exclude: [SOAKED_PACKAGES],
        }),
      ]),
    ],
  },
});

/** The same suite once for each browser. */
function browserProject(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  const browserName = browserNames.find((browser) => name.endsWith(browser)) ?? 'chromium';
  return {
    plugins: sourcePlugins(),
    test: {
      ...test,
      name,
      provide: { browserName, isSoak: name.startsWith('soak-') },
      globalSetup: 'tests/support/prepare-browser.ts',
      // The modules are loaded once for all files; what must be apart is the browser, of which every test starts its own.
      isolate: false,
    },
  };
}
