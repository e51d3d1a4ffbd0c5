import { defineCallers, page } from './messaging/index.ts';

/** All callers except the background itself. The paths are the same as in manifest.json. */
export const callers = defineCallers({
  popup: page('src/popup/index.html'),
  options: page('src/options/index.html'),
});

/** Paths of the pages. */
export const pages = { popup: callers.popup.path, options: callers.options.path };
