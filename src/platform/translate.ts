import { browser } from './browser.ts';

/**
 * The text under a key of `_locales`, empty when there is none. The browser numbers placeholders, the caller names
 * them: `$1` is the first of the names in alphabetical order, and a test holds the messages to that.
 */
export function translate(key: string, values: Readonly<Record<string, string>> = {}): string {
  const inOrder = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return browser.i18n.getMessage(
    key,
    inOrder.map(([, value]) => value),
  );
}
