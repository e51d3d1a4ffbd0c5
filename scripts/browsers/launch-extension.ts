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
 * the caller's it gets a new one, which is removed when the browser is closed.
 */
export async function launchExtension(
  browser: BrowserName,
  extension: string,
  options: { readonly profile?: string; readonly headless?: boolean } = {},
): Promise<RunningExtension> {
  const executable = await ensureBrowser(browser);
  const profile = options.profile ?? (await mkdtemp(join(tmpdir(), 'extension-profile-')));
  const removeProfile = async (): Promise<void> => {
    if (options.profile !== undefined) return;
    // A browser that has just ended may still hold a file for a moment, on Windows above all.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    const { headless = true } = options;
    const manage = (running: RunningExtension): RunningExtension => ({
      ...running,
      replace: async (other) => manage(await running.replace(other)),
      async close() {
        await running.close();
        await removeProfile();
      },
    });
    return manage(await launchers[browser]({ executable, extension, profile, headless }));
  } catch (error) {
    await removeProfile();
    throw error;
  }
}
