import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * For the dev server only: CRXJS imports a page's classic scripts as modules, and Vite refuses to import what lies in
 * `publicDir`. This hands such a script over as a module, which runs a little later than the classic one will.
 */
export function devPublicScripts(): Plugin {
  let publicDir = '';
  return {
    name: 'dev-public-scripts',
    apply: 'serve',
    configResolved(config) {
      publicDir = config.publicDir;
    },
    load(id) {
      // Modules have absolute paths of the file system, files in `publicDir` are named as in the page.
      if (!/^\/[\w-]+\.js$/.test(id)) return undefined;
      return readFile(join(publicDir, id), 'utf8').catch(() => undefined);
    },
  };
}
