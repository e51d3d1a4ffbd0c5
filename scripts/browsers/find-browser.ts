import { Browser, getInstalledBrowsers } from '@puppeteer/browsers';
import { access, constants, stat } from 'node:fs/promises';

import { browserCache } from './browser-cache.ts';
import type { BrowserName } from './browser-name.ts';
import { BrowserUnavailable } from './browser-unavailable.ts';
import { installedPaths } from './installed-paths.ts';
import { pathVariable } from './path-variable.ts';

/**
 * The executable of a browser: the one named by the environment, else one that the system has, else one that was
 * downloaded earlier. `undefined` when there is none. Rejects with `BrowserUnavailable` when the one named by the
 * environment cannot be run: another one in its place would hide the mistake.
 */
export async function findBrowser(browser: BrowserName): Promise<string | undefined> {
  const variable = pathVariable[browser];
  const named = process.env[variable];
  if (named) {
    if (await isExecutable(named)) return named;
    throw new BrowserUnavailable(`${variable} is set to ${named}, which is not a file that can be run`);
  }

  const paths = installedPaths(browser);
  const usable = await Promise.all(paths.map(isExecutable));
  return paths.find((_, index) => usable[index]) ?? findDownloaded(browser);
}

async function findDownloaded(browser: BrowserName): Promise<string | undefined> {
  const kind = browser === 'chromium' ? Browser.CHROME : Browser.FIREFOX;
  const downloaded = await getInstalledBrowsers({ cacheDir: browserCache });
  return downloaded.find((candidate) => candidate.browser === kind)?.executablePath;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
