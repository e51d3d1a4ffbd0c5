import type { BrowserName } from './browser-name.ts';

/** The environment variable by which a person names a browser's executable. */
export const pathVariable = {
  chromium: 'CHROMIUM_PATH',
  firefox: 'FIREFOX_PATH',
} as const satisfies Record<BrowserName, string>;
