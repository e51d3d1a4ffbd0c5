import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';

/**
 * For the dev server only: a content security policy under which pages load scripts, styles and hot updates from it, and
 * `src/static/before-paint.js` as a module. CRXJS imports classic scripts, and Vite refuses to import from `publicDir`.
 */
export function development(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'development',
    apply: 'serve',
    configResolved: (resolved) => void (config = resolved),
    load(id) {
      // Modules have absolute paths of the file system, files in `publicDir` are named as in the page.
      if (!/^\/[\w-]+\.js$/.test(id)) return undefined;
      return readFile(join(config.publicDir, id), 'utf8').catch(() => undefined);
    },
    // CRXJS's hook: the manifest as it was read.
    transformCrxManifest(read: object) {
      const server = `localhost:${config.server.port}`;
      const connect = `connect-src 'self' http://${server} ws://${server}`;
      const policy = `script-src 'self' http://${server}; style-src 'self' 'unsafe-inline'; ${connect}; object-src 'none'`;
      return { ...read, content_security_policy: { extension_pages: policy } };
    },
  } as Plugin;
}
