import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

import type manifest from '../../manifest.json';

/**
 * For the dev server only: a content security policy under which pages load scripts, styles and hot updates from it, and
 * `src/static/before-paint.js` as a module. CRXJS imports classic scripts, and Vite refuses to import from `publicDir`.
 */
export function development(): Plugin {
  let [publicDir, port] = ['', 0];
  return {
    name: 'development',
    apply: 'serve',
    configResolved: ({ publicDir: folder, server }) => void ([publicDir, port] = [folder, server.port]),
    load(id) {
      // Modules have absolute paths of the file system, files in `publicDir` are named as in the page.
      if (!/^\/[\w-]+\.js$/.test(id)) return undefined;
      return readFile(join(publicDir, id), 'utf8').catch(() => undefined);
    },
    // CRXJS's hook: the manifest as it was read.
    transformCrxManifest: (read: typeof manifest) => ({
      ...read,
      content_security_policy: { extension_pages: policyFor(`localhost:${port}`) },
    }),
  } as Plugin;
}

function policyFor(server: string): string {
  return [
    `script-src 'self' http://${server}`,
    `style-src 'self' 'unsafe-inline'`,
    `connect-src 'self' http://${server} ws://${server}`,
    `object-src 'none'`,
  ].join('; ');
}
