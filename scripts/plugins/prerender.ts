import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createServer } from 'vite';
import type { Plugin, Rolldown } from 'vite';

import type manifest from '../../manifest.json';
import { builtLanguage, pages } from '../../src/contract/pages.ts';
import { hashStyle } from '../check-build.ts';
import { specGapsPlugin } from '../spec-gaps/spec-gaps-plugin.ts';

const LOCALE = `src/static/_locales/${builtLanguage}/messages.json`;
const ROOT = '<div id="root"></div>';
const LINK = /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/gu;

/**
 * Puts the first frame of each page and its styles into the HTML, so that it is painted before any script has run, and
 * fills in `__MSG_key__`. The manifest allows these styles by their hashes. Under development React renders the frame.
 */
export function prerender(): Plugin {
  let [root, isBuild] = ['', false];
  const inlined = new Map<string, readonly string[]>();

  return {
    name: 'prerender',
    configResolved: (config) => void ([root, isBuild] = [config.root, config.command === 'build']),
    buildStart() {
      this.addWatchFile(join(root, LOCALE));
    },
    async transformIndexHtml(html, { path, bundle = {} }) {
      const messages = JSON.parse(await readFile(join(root, LOCALE), 'utf8')) as Messages;
      const named = html.replaceAll(/__MSG_(\w+)__/gu, (_, key: string) => messages[key]?.message ?? key);
      if (!isBuild) return named;

      const sheets = [...html.matchAll(LINK)].map(([, file = '']) => file);
      const styles = sheets.map((file) => String((bundle[file] as Rolldown.OutputAsset).source)).join('');
      inlined.set(hashStyle(styles), sheets);
      const frame = await renderFrame(root, path, messages);
      return named
        .replaceAll(LINK, '')
        .replace('</head>', () => `  <style>${styles}</style>\n  </head>`)
        .replace(ROOT, () => ROOT.replace('><', () => `>${frame}<`));
    },
    // CRXJS's hook: the pages are there, and the manifest is about to be written.
    renderCrxManifest(rendered: typeof manifest, bundle: Rolldown.OutputBundle) {
      for (const file of [...inlined.values()].flat()) delete bundle[file];
      const policy = rendered.content_security_policy;
      const allowed = ["style-src 'self'", ...[...inlined.keys()].toSorted()].join(' ');
      policy.extension_pages = policy.extension_pages.replace("style-src 'self'", allowed);
      return rendered;
    },
  } as Plugin;
}

type Messages = Readonly<Record<string, { readonly message: string }>>;

/** Rendered by a server of its own, which reads styles and `SPEC_GAPS.md` as the build does. */
async function renderFrame(root: string, path: string, messages: Messages): Promise<string> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [specGapsPlugin()],
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  const { renderPage } = await server.ssrLoadModule('/scripts/plugins/render-page.tsx');
  await server.close();
  const page = Object.entries(pages).find(([, own]) => path === `/${own}`)?.[0];
  return (renderPage as (page: string | undefined, messages: Messages) => string)(page, messages);
}
