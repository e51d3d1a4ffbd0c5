import { rm } from 'node:fs/promises';

import { CommandError } from '../command.ts';
import { createWorkFolder } from '../work-folder.ts';
import { launchChromium } from './chromium.ts';
import { type BrowserName, ensureBrowser } from './find-browser.ts';
import { launchFirefox } from './firefox.ts';
import { type LaunchOptions, patience, type RunningExtension } from './running-extension.ts';

const launchers = { chromium: launchChromium, firefox: launchFirefox } as const;

/**
 * Starts a browser and installs the extension, which is a folder or, for Firefox, also a zip. Without `profile`, the
 * browser gets a new profile folder, which is removed when the browser has ended or could not be started.
 */
export async function launchExtension(
  browser: BrowserName,
  extension: string,
  options: Partial<Pick<LaunchOptions, 'profile' | 'headless' | 'outlivesSignals'>> & {
    readonly limit?: number;
  } = {},
): Promise<RunningExtension> {
  const executable = await ensureBrowser(browser);
  const profile = options.profile ?? (await createWorkFolder('profile'));
  const { headless = true, outlivesSignals = false, limit = patience } = options;
  const removeProfile = async (): Promise<void> => {
    if (options.profile !== undefined) return;
    // Retried, because a file may stay locked for a moment after the browser has ended, mainly on Windows.
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  // The drivers wait without a limit for the answers of a browser that has started.
  const start = new AbortController();
  const timer = setTimeout(() => start.abort(), limit);
  try {
    const { signal } = start;
    const running = await launchers[browser]({
      executable,
      extension,
      profile,
      headless,
      outlivesSignals,
      signal,
    });
    void running.closed.then(removeProfile);
    return running;
  } catch (error) {
    await removeProfile();
    if (!start.signal.aborted) throw error;
    throw new CommandError(
      `${executable} has not answered for ${limit / 1_000} s. Start it by hand to see why, or set ` +
        `${browser.toUpperCase()}_PATH to another browser.`,
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}
