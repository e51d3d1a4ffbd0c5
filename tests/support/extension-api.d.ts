/** The browser's API as functions see it that a test sends into a page of the extension. Both browsers have both names. */
declare const chrome: typeof import('webextension-polyfill');
declare const browser: typeof import('webextension-polyfill');
