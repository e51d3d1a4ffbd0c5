import type { BidiConnection } from './bidi-connection.ts';
import { evaluateInFirefox } from './evaluate-in-firefox.ts';
import { pageResult, pageSource } from './page-source.ts';
import type { PageFunction } from './view.ts';

/**
 * Calls a function in Firefox's own window (`browser.xhtml`), where the browser's internals are at hand. Needs
 * `-remote-allow-system-access`. What the functions passed here use of Firefox was tried on 153.
 */
export type FirefoxChromeScope = <Args extends readonly unknown[], T>(
  run: PageFunction<Args, T>,
  ...args: Args
) => Promise<T>;

interface Tree {
  readonly contexts?: readonly { readonly context: string; readonly url: string }[];
}

export async function openFirefoxChromeScope(connection: BidiConnection): Promise<FirefoxChromeScope> {
  const { contexts }: Tree = await connection.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
  const context = contexts?.find(({ url }) => url.endsWith('/browser.xhtml'))?.context;
  if (context === undefined) throw new Error('Firefox shows no browser window');

  return async (run, ...args) =>
    pageResult(await evaluateInFirefox(connection, context, pageSource(run, args)));
}
