import browser from 'webextension-polyfill';

/**
 * The browser's API, with promises and under one name in every browser. All of `src/platform` goes through it, and no
 * other code does. The library throws when it is loaded outside an extension, so tests in memory do not import this folder.
 */
export { browser };
