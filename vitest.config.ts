import react from '@vitejs/plugin-react';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

import { browserNames } from './scripts/browsers/browser-name.ts';
import type { BrowserName } from './scripts/browsers/browser-name.ts';
import { specGapsPlugin } from './scripts/spec-gaps/spec-gaps-plugin.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser that a suite in tests/browser or tests/soak runs in. */
    readonly browserName: BrowserName;
  }
}

const ASLEEP = 'tests/browser/sleep.test.ts';
const GUIDE = 'tests/docs/adding-behaviour.test.ts';
const SOAKED_PACKAGES = 'tests/soak/packages.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [react(), specGapsPlugin()],
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/browser/**', 'tests/packages/**', 'tests/soak/**', 'tests/bench/**', GUIDE],
          typecheck: {
            enabled: true,
            include: ['tests/**/*.test-d.ts'],
            // Errors outside the type tests are what `tsc` finds in `npm run check`; here each would count again.
            ignoreSourceErrors: true,
          },
        },
      },
      nodeProject('packages', 'tests/packages/**/*.test.ts'),
      nodeProject('guide', GUIDE),
      nodeProject('soak-packages', SOAKED_PACKAGES),
      ...browserNames.flatMap((browser) => [
        browserProject(browser, browser, ['tests/browser/**/*.test.ts'], [ASLEEP]),
        // Minutes of waiting, which go on beside all else.
        browserProject(`${browser}-asleep`, browser, [ASLEEP]),
        browserProject(`soak-${browser}`, browser, ['tests/soak/**/*.test.ts'], [SOAKED_PACKAGES]),
      ]),
    ],
  },
});

/** What `npm run package` writes, and the project with the guide's example in it: builds, seen without a browser. */
function nodeProject(name: string, include: string): TestProjectInlineConfiguration {
  return { test: { name, include: [include], fileParallelism: false, testTimeout: 60_000 } };
}

/** The same suite once for each browser, one file after the other: the machine has to run a whole browser beside it. */
function browserProject(
  name: string,
  browserName: BrowserName,
  include: string[],
  exclude: string[] = [],
): TestProjectInlineConfiguration {
  return {
    plugins: [specGapsPlugin()],
    test: {
      name,
      include,
      exclude,
      provide: { browserName },
      fileParallelism: false,
      // The modules are loaded once for all files; what must be apart is the browser, of which every test starts its own.
      isolate: false,
      testTimeout: 120_000,
      hookTimeout: 90_000,
    },
  };
}
