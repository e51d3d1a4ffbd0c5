import type { Browser } from 'webextension-polyfill';

/**
 * The browser's API. Firefox and Chromium since 148 call it `browser`, older ones `chrome`; under Manifest V3 it gives
 * promises by either name. webextension-polyfill passes `browser` through where there is one, so only its types are
 * used: the code would cost every start of the worker some 2 ms. `tests/browser/api.test.ts` shows both.
 */
export const browser = ((globalThis as Api).browser ?? (globalThis as Api).chrome) as Browser;

type Api = typeof globalThis & { readonly browser?: Browser; readonly chrome?: Browser };
