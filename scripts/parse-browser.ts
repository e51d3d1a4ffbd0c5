import { type BrowserName, browserNames } from './browsers/browser-name.ts';

/** A command line that names no browser. */
export class WrongBrowser extends Error {
  override readonly name = 'WrongBrowser';
}

/** The browser that a command line names. Throws for a name that is not a browser's. */
export function parseBrowser(name: string): BrowserName {
  const browser = browserNames.find((candidate) => candidate === name);
  if (browser === undefined)
    throw new WrongBrowser(`--browser takes ${browserNames.join(' or ')}, not ${name}`);
  return browser;
}
