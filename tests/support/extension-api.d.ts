/** The browser's API, for functions that a test runs in a page of the extension. Both browsers have both names. */
declare const chrome: typeof import('webextension-polyfill');
declare const browser: typeof import('webextension-polyfill');
