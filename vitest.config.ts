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

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [react(), specGapsPlugin()],
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/browser/**', 'tests/soak/**', 'tests/bench/**'],
          typecheck: {
            enabled: true,
            include: ['tests/**/*.test-d.ts'],
            // Errors outside the type tests are what `tsc` finds in `npm run check`; here each would count again.
            ignoreSourceErrors: true,
          },
        },
      },
      ...browserNames.map((browser) => browserProject(browser, 'browser', browser)),
      ...browserNames.map((browser) => browserProject(`soak-${browser}`, 'soak', browser)),
    ],
  },
});

/** The same suite once for each browser, one file after the other: the machine has to run a whole browser beside it. */
function browserProject(
  name: string,
  folder: 'browser' | 'soak',
  browserName: BrowserName,
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include: [`tests/${folder}/**/*.test.ts`],
      provide: { browserName },
      fileParallelism: false,
      testTimeout: 60_000,
      hookTimeout: 90_000,
    },
  };
}
