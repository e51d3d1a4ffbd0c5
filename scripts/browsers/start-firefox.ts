import {
  Browser,
  createProfile,
  launch,
  type Process,
  WEBDRIVER_BIDI_WEBSOCKET_ENDPOINT_REGEX,
} from '@puppeteer/browsers';
import { mkdir } from 'node:fs/promises';

import { type BidiConnection, openBidiConnection } from './bidi-connection.ts';
import type { LaunchOptions } from './running-extension.ts';

interface StartedFirefox {
  readonly process: Process;
  readonly connection: BidiConnection;
}

/** Starts Firefox with these preferences and opens a BiDi session. Rejects when it does not listen within 60 s. */
export async function startFirefox(
  { executable, profile, headless, exitOnSignal }: Omit<LaunchOptions, 'extension'>,
  preferences: Readonly<Record<string, unknown>>,
): Promise<StartedFirefox> {
  await mkdir(profile, { recursive: true });
  await createProfile(Browser.FIREFOX, { path: profile, preferences });

  const firefox = launch({
    executablePath: executable,
    // Nothing is passed on by itself, and Firefox needs DISPLAY and HOME.
    env: process.env,
    handleSIGINT: exitOnSignal,
    handleSIGTERM: exitOnSignal,
    handleSIGHUP: exitOnSignal,
    args: [
      ...(headless ? ['--headless'] : []),
      // Without these two, Firefox would detach itself from the process that was started.
      ...(process.platform === 'darwin' ? ['--foreground'] : []),
      ...(process.platform === 'win32' ? ['--wait-for-browser'] : []),
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port=0',
      // Without it, Firefox refuses moz-extension:// addresses and its own chrome scope.
      '--remote-allow-system-access',
      'about:blank',
    ],
  });
  try {
    const url = await firefox.waitForLineOutput(WEBDRIVER_BIDI_WEBSOCKET_ENDPOINT_REGEX, 60_000);
    return { process: firefox, connection: await openBidiConnection(`${url}/session`) };
  } catch (error) {
    await firefox.close();
    throw error;
  }
}
