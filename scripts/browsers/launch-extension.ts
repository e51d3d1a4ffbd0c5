import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { launchChromium } from './chromium.ts';
import { type BrowserName, ensureBrowser } from './find-browser.ts';
import { launchFirefox } from './firefox.ts';
import type { RunningExtension } from './running-extension.ts';

const launchers = { chromium: launchChromium, firefox: launchFirefox } as const;

/**
 * Starts a browser with the extension (a folder; for Firefox also a zip) installed in it. Without a profile folder of
 * the caller's it gets a new one, which is removed when the browser has ended.
 */
export async function launchExtension(
  browser: BrowserName,
  extension: string,
  options: { readonly profile?: string; readonly headless?: boolean } = {},
): Promise<RunningExtension> {
  const executable = await ensureBrowser(browser);
  const profile = options.profile ?? (await mkdtemp(join(tmpdir(), 'extension-profile-')));
  const { headless = true } = options;
  const running = await launchers[browser]({ executable, extension, profile, headless });
  if (options.profile === undefined) {
    // A browser that has just ended may still hold a file for a moment, on Windows above all.
    const retries = { maxRetries: 10, retryDelay: 100 };
    void running.closed.then(() => rm(profile, { recursive: true, force: true, ...retries }));
  }
  return running;
}
