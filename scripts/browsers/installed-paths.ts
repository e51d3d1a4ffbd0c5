import { Browser, ChromeReleaseChannel, computeSystemExecutablePath } from '@puppeteer/browsers';
import { delimiter, join } from 'node:path';

import type { BrowserName } from './browser-name.ts';

/** Where the system may have this browser, the most likely first. Nothing is known to exist, save Chrome. */
export function installedPaths(browser: BrowserName): readonly string[] {
  switch (process.platform) {
    case 'darwin':
      return browser === 'chromium'
        ? [...chromePath(), ...macApps('Chromium', 'Microsoft Edge')]
        : macApps('Firefox', 'Firefox Developer Edition', 'Firefox Nightly');
    case 'win32':
      return browser === 'chromium'
        ? [
            ...chromePath(),
            ...windowsPrograms(join('Chromium', 'Application', 'chrome.exe')),
            ...windowsPrograms(join('Microsoft', 'Edge', 'Application', 'msedge.exe')),
          ]
        : windowsPrograms(join('Mozilla Firefox', 'firefox.exe'));
    default:
      return browser === 'chromium'
        ? [
            ...onPath('google-chrome-stable', 'google-chrome'),
            ...chromePath(),
            ...onPath('chromium', 'chromium-browser', 'microsoft-edge-stable', 'microsoft-edge'),
          ]
        : onPath('firefox', 'firefox-esr');
  }
}

function chromePath(): readonly string[] {
  try {
    return [computeSystemExecutablePath({ browser: Browser.CHROME, channel: ChromeReleaseChannel.STABLE })];
  } catch {
    // How this function says that Chrome is not installed.
    return [];
  }
}

function macApps(...names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const binary = name.startsWith('Firefox') ? 'firefox' : name;
    return join('/Applications', `${name}.app`, 'Contents', 'MacOS', binary);
  });
}

function windowsPrograms(program: string): readonly string[] {
  const { LOCALAPPDATA, PROGRAMFILES, 'PROGRAMFILES(X86)': PROGRAMFILES_X86 } = process.env;
  return [PROGRAMFILES, PROGRAMFILES_X86, LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, program));
}

function onPath(...names: readonly string[]): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}
