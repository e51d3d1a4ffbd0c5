import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, ResolvedConfig } from 'vite';

import manifest from '../../manifest.json' with { type: 'json' };

/**
 * Lets the dev server serve `src/static/before-paint.js` as a module. CRXJS's dev server imports classic scripts, and
 * Vite refuses to import files of `publicDir`.
 */
export function development(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'development',
    apply: 'serve',
    configResolved: (resolved) => void (config = resolved),
    load(id) {
      // Modules have absolute file paths. Files in `publicDir` have the address that the page uses.
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
