import type { BrowserName } from './browser-name.ts';
import { launchChromium } from './launch-chromium.ts';
import { launchFirefox } from './launch-firefox.ts';
import type { LaunchOptions, RunningExtension } from './running-extension.ts';

/** Starts a browser with the extension installed in it. */
export function launchExtension(browser: BrowserName, options: LaunchOptions): Promise<RunningExtension> {
  switch (browser) {
    case 'chromium':
      return launchChromium(options);
    case 'firefox':
      return launchFirefox(options);
  }
}
