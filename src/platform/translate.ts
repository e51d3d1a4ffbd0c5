import { i18n } from 'webextension-polyfill';

/**
 * Returns the text of a key in `_locales`, or an empty string if the key is missing. Placeholders have names here and numbers
 * in the browser: `$1` is the first name in alphabetical order, which a test checks.
 */
export function translate(key: string, values: Readonly<Record<string, string>> = {}): string {
  const inOrder = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return i18n.getMessage(
    key,
    inOrder.map(([, value]) => value),
  );
}
