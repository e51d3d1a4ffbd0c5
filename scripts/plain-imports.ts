import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';
const WANTED = '__VITE_PRELOAD__';

/**
 * Loads a script that is wanted later as the browser itself does. Vite wraps that into the preloading of what the script
 * needs; here that is nothing, as the pages have their styles in them and the files are on the person's disk.
 */
export function plainImports(): Plugin {
  return {
    name: 'plain-imports',
    apply: 'build',
    enforce: 'pre',
    load: (id) => (id === HELPER ? 'export const __vitePreload = (load) => load();' : undefined),
    renderChunk: (code) => (code.includes(WANTED) ? code.replaceAll(WANTED, '[]') : undefined),
  };
}
