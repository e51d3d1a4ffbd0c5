import { Browser, BrowserTag, detectBrowserPlatform, install, resolveBuildId } from '@puppeteer/browsers';

import { browserCache } from './browser-cache.ts';
import type { BrowserName } from './browser-name.ts';

/** Downloads the current stable Chrome for Testing or Firefox. Rejects when there is none for this machine or the network fails. */
export async function downloadBrowser(name: BrowserName): Promise<void> {
  const browser = name === 'chromium' ? Browser.CHROME : Browser.FIREFOX;
  const platform = detectBrowserPlatform();
  if (!platform) throw new Error(`there is no build of ${browser} for ${process.platform} ${process.arch}`);

  console.log(`No ${name} found. Downloading ${browser} into ${browserCache}…`);
  const buildId = await resolveBuildId(browser, platform, BrowserTag.STABLE);
  await install({ browser, platform, buildId, cacheDir: browserCache });
}
