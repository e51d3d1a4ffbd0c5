import type { BrowserName } from './browser-name.ts';
import { BrowserUnavailable } from './browser-unavailable.ts';
import { downloadBrowser } from './download-browser.ts';
import { findBrowser } from './find-browser.ts';
import { canInstallDebianPackage, installDebianPackage } from './install-debian-package.ts';
import { pathVariable } from './path-variable.ts';

/**
 * The executable of a browser, which is installed first when there is none: on Debian as root by `apt-get`,
 * elsewhere by a download into `.cache/browsers`. Says on the standard output what it is about to install.
 * Rejects with `BrowserUnavailable` when no browser can be had.
 */
export async function ensureBrowser(browser: BrowserName): Promise<string> {
  const found = await findBrowser(browser);
  if (found !== undefined) return found;

  try {
    if (await canInstallDebianPackage()) await installDebianPackage(browser);
    else await downloadBrowser(browser);
  } catch (cause) {
    throw unavailable(browser, cause instanceof Error ? cause.message : String(cause), cause);
  }

  const installed = await findBrowser(browser);
  if (installed === undefined)
    throw unavailable(browser, 'it was installed, but is not where it was expected');
  return installed;
}

function unavailable(browser: BrowserName, reason: string, cause?: unknown): BrowserUnavailable {
  const { chromium, firefox } = pathVariable;
  return new BrowserUnavailable(
    `No ${browser} is installed, and none could be installed: ${reason}\n` +
      `Install Chrome, Chromium or Edge, and Firefox, or set ${chromium} and ${firefox} to their executables.`,
    { cause },
  );
}
