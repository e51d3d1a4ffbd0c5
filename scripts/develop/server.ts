import { readFileSync } from 'node:fs';
import { createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer, type Plugin, type ViteDevServer, type WebSocketClient } from 'vite';

import type { BrowserName } from '../browsers/find-browser.ts';
import { projectFolder } from '../project-folder.ts';
import { describeViolation, type Violation } from './policy-violations.ts';

/** Path of the script that is added to each page. */
const PAGE_CLIENT = '/scripts/develop/page-client.ts';

interface ServerOptions {
  /** Folder for the packages that Vite prepares. */
  readonly cacheDir: string;
  /** Called when the server starts, and when it starts again because a setting has changed. */
  readonly onStart: (server: ViteDevServer) => void;
  /** Called before Vite changes open pages after an edit of this page's HTML. */
  readonly onPageEdit: () => Promise<void>;
  /** Returns a script of a page that only this server has. */
  readonly findPageScript: (path: string) => string | undefined;
}

/** Starts Vite's server, from which the pages of the extension load their modules and styles. */
export async function startServer(browser: BrowserName, options: ServerOptions): Promise<ViteDevServer> {
  const port = await findFreePort();
  const server = await createServer({
    root: projectFolder,
    mode: browser,
    logLevel: 'warn',
    clearScreen: false,
    cacheDir: options.cacheDir,
    configFile: join(projectFolder, 'vite.config.ts'),
    plugins: [extensionPages(options)],
    server: {
      host: 'localhost',
      port,
      strictPort: true,
      // The addresses of images and fonts. Without it, they would lead to the extension.
      origin: `http://localhost:${port}`,
      cors: { origin: /^(?:chrome|moz)-extension:\/\// },
      watch: { ignored: ['dist', '.cache'].map((folder) => `${join(projectFolder, folder)}/**`) },
    },
    optimizeDeps: { entries: ['src/**/main.tsx'] },
  });
  return server.listen();
}

/** Serves the parts of pages that the policy does not allow inside their HTML, and reports edits. */
function extensionPages({ onStart, onPageEdit, findPageScript }: ServerOptions): Plugin {
  return {
    name: 'extension-pages',
    configureServer(server) {
      onStart(server);
      // Vite takes the first update after an error as the repair of a page that has never loaded, and reloads that page. This
      // page has loaded.
      server.ws.on('page:loaded', (_data, client: WebSocketClient) => {
        client.send({ type: 'update', updates: [] });
      });
      const described = new Set<string>();
      server.ws.on('page:violation', (violation: Violation) => {
        const sentence = describeViolation(violation, readPolicy());
        if (sentence === undefined || described.has(sentence)) return;
        described.add(sentence);
        console.warn(sentence);
      });
      server.middlewares.use((request, response, next) => {
        const script = findPageScript(request.url ?? '');
        if (script === undefined) return next();
        response.setHeader('Content-Type', 'text/javascript');
        response.end(script);
      });
    },
    transformIndexHtml: () => [
      { tag: 'script', attrs: { type: 'module', src: PAGE_CLIENT }, injectTo: 'head-prepend' },
    ],
    async hotUpdate({ file }) {
      if (file.endsWith('.html')) await onPageEdit();
    },
  };
}

/** Returns the policy that the pages of builds have. */
function readPolicy(): string {
  const text = readFileSync(join(projectFolder, 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as { content_security_policy: { extension_pages: string } };
  return manifest.content_security_policy.extension_pages;
}

/** Finds a free port, because the policy of the pages must name the port before the server starts. */
async function findFreePort(): Promise<number> {
  const server = createSocketServer().listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free');
  return address.port;
}
