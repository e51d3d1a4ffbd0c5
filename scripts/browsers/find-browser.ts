import {
  Browser,
  BrowserTag,
  detectBrowserPlatform,
  getInstalledBrowsers,
  install,
  resolveBuildId,
  uninstall,
} from '@puppeteer/browsers';
import { execFileSync } from 'node:child_process';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import { CommandError } from '../command.ts';
import { projectFolder } from '../project-folder.ts';

/** A browser that the extension is built for. It is also Vite's mode and the folder of the build in `dist/`. */
export type BrowserName = 'chromium' | 'firefox';

export const browserNames: readonly BrowserName[] = ['chromium', 'firefox'];

/** Returns the browser that a command line names. Throws a `CommandError` for any other name. */
export function parseBrowser(name: string): BrowserName {
  const browser = browserNames.find((candidate) => candidate === name);
  if (browser) return browser;
  throw new CommandError(`The browser is ${browserNames.join(' or ')}, not ${name}.`);
}

/** The folder of downloaded browsers. */
const cacheDir = join(projectFolder, '.cache', 'browsers');

const { PROGRAMFILES = '', 'PROGRAMFILES(X86)': PROGRAMFILES_X86 = '' } = process.env;

const known = {
  chromium: {
    kind: Browser.CHROME,
    variable: 'CHROMIUM_PATH',
    debianPackage: 'chromium',
    /** Names in PATH (Linux) and absolute paths (macOS, Windows), with the most likely ones first. */
    candidates: [
      'google-chrome-stable',
      'google-chrome',
      'chromium',
      'chromium-browser',
      'microsoft-edge',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
      '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      join(PROGRAMFILES, 'Google/Chrome/Application/chrome.exe'),
      join(PROGRAMFILES_X86, 'Microsoft/Edge/Application/msedge.exe'),
    ],
  },
  firefox: {
    kind: Browser.FIREFOX,
    variable: 'FIREFOX_PATH',
    debianPackage: 'firefox-esr',
    candidates: [
      'firefox',
      'firefox-esr',
      '/Applications/Firefox.app/Contents/MacOS/firefox',
      join(PROGRAMFILES, 'Mozilla Firefox/firefox.exe'),
    ],
  },
} as const;

/**
 * Returns the path of a browser: the one named by `CHROMIUM_PATH` or `FIREFOX_PATH`, otherwise an installed one,
 * otherwise one that was downloaded earlier. If there is none, it installs one: with `apt-get` for root on Debian, and
 * elsewhere by a download into `.cache/browsers`. Rejects with a `CommandError` if that fails, or if the named browser
 * cannot be run, because another browser would hide the mistake.
 */
export async function ensureBrowser(browser: BrowserName): Promise<string> {
  const found = await findBrowser(browser);
  if (found !== undefined) return found;

  try {
    if (await canInstallDebianPackage()) installDebianPackage(known[browser].debianPackage);
    else await downloadBrowser(known[browser].kind);
    const installed = await findBrowser(browser);
    if (installed !== undefined) return installed;
    throw new Error('the installed browser was not found');
  } catch (cause) {
    throw new CommandError(
      `No ${browser} is installed, and none could be installed: ${cause instanceof Error ? cause.message : String(cause)}\n` +
        'Install Chrome, Chromium or Edge, and Firefox, or set CHROMIUM_PATH and FIREFOX_PATH to their executables.',
      { cause },
    );
  }
}

async function findBrowser(browser: BrowserName): Promise<string | undefined> {
  const { variable, candidates, kind } = known[browser];
  const named = process.env[variable];
  if (named) {
    if (await isExecutable(named)) return named;
    throw new CommandError(`${variable} is set to ${named}, which is not a file that can be run`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const candidate of candidates) {
    for (const folder of isAbsolute(candidate) ? [''] : folders) {
      if (await isExecutable(join(folder, candidate))) return join(folder, candidate);
    }
  }
  const downloaded = await getInstalledBrowsers({ cacheDir });
  const path = downloaded.find((candidate) => candidate.browser === kind)?.executablePath ?? '';
  return (await isExecutable(path)) ? path : undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Returns `true` for root on Debian. Ubuntu's packages of these names install snaps, which need a running snapd. */
async function canInstallDebianPackage(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return process.getuid?.() === 0 && /^ID=debian$/m.test(release);
}

function installDebianPackage(name: string): void {
  console.log(`Installing the Debian package ${name} with apt-get…`);
  for (const command of [['update'], ['install', '--yes', name]]) {
    // Waits up to 5 minutes for another run of apt-get.
    execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...command], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  }
}

async function downloadBrowser(browser: (typeof known)[BrowserName]['kind']): Promise<void> {
  const platform = detectBrowserPlatform();
  if (!platform) throw new Error(`there is no build of ${browser} for ${process.platform} ${process.arch}`);
  console.log(`Downloading ${browser} into ${cacheDir}…`);
  const buildId = await resolveBuildId(browser, platform, BrowserTag.STABLE);
  // An interrupted download leaves an incomplete folder.
  await uninstall({ browser, platform, buildId, cacheDir });
  await install({ browser, platform, buildId, cacheDir });
}
