import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';

import manifest from '../../manifest.json' with { type: 'json' };

/**
 * Serves `src/static/before-paint.js` as a module, for the dev server only: CRXJS imports classic scripts, and Vite refuses
 * to import from `publicDir`.
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
  };
}

/** The manifest with a content security policy that allows scripts, styles and hot updates from the dev server. */
export function developmentManifest(port: number): object {
  const server = `localhost:${port}`;
  const connect = `connect-src 'self' http://${server} ws://${server}`;
  const policy = `script-src 'self' http://${server}; style-src 'self' 'unsafe-inline'; ${connect}; object-src 'none'`;
  return { ...manifest, content_security_policy: { extension_pages: policy } };
}
