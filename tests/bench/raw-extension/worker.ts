import { runtime } from 'webextension-polyfill';

// A background that loads the same library as the core's, and answers with the browser's own API.
runtime.onMessage.addListener(async (message: unknown) => message);
