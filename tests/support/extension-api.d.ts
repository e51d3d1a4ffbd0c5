/** The browser's API as functions see it that a test sends into a page of the extension. Both browsers call it so. */
declare const chrome: typeof import('webextension-polyfill');
