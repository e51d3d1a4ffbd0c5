import { createServer, type Plugin, type Rolldown } from 'vite';

import type manifest from '../../manifest.json';
import { type Page, pages } from '../../src/callers.ts';
import builtTexts from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { hashStyle } from '../check-build.ts';
import { projectFolder } from '../project-folder.ts';
import { sourcePlugins } from '../source-plugins.ts';
import type * as renderer from './render-page.tsx';
import type { Messages } from './translate-with.ts';

const LINK = /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/gu;

/**
 * Puts the first frame of each page and its styles into the HTML, so that the browser paints it before scripts run, and
 * replaces `__MSG_key__`. The manifest allows the styles by their hashes. The dev server leaves the frame to React.
 */
export function prerender(): Plugin {
  const inlined = new Map<string, readonly string[]>();

  return {
    name: 'prerender',
    async transformIndexHtml(html, { path, bundle }) {
      const named = fillIn(html, builtTexts);
      if (bundle === undefined) return named;

      const sheets = [...html.matchAll(LINK)].map(([, file = '']) => file);
      const styles = sheets.map((file) => String((bundle[file] as Rolldown.OutputAsset).source)).join('');
      inlined.set(hashStyle(styles), sheets);
      const page = (Object.keys(pages) as Page[]).find((name) => path === `/${pages[name]}`);
      const frame = page === undefined ? '' : await renderFrame(page);
      return named
        .replaceAll(LINK, '')
        .replace('</head>', () => `  <style>${styles}</style>\n  </head>`)
        .replace('<div id="root">', (start) => start + frame);
    },
    // CRXJS calls this hook when the pages are finished, before it writes the manifest.
    renderCrxManifest(rendered: typeof manifest, bundle: Rolldown.OutputBundle) {
      for (const file of [...inlined.values()].flat()) delete bundle[file];
      const hashes = [...inlined.keys()].toSorted().join(' ');
      const policy = rendered.content_security_policy;
      policy.extension_pages = policy.extension_pages.replace("style-src 'self'", `$& ${hashes}`);
      return rendered;
    },
  } as Plugin;
}

/** Renders the first frame of a page. A nested server transforms the modules of the page as the build does. */
async function renderFrame(page: Page): Promise<string> {
  const server = await createServer({
    root: projectFolder,
    configFile: false,
    plugins: sourcePlugins(),
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, ws: false },
  });
  const { renderPage } = (await server.ssrLoadModule('/scripts/plugins/render-page.tsx')) as typeof renderer;
  await server.close();
  return renderPage(page, builtTexts);
}

/** Replaces each `__MSG_key__` by the text of the key. Throws if the key does not exist. */
export function fillIn(html: string, messages: Messages): string {
  return html.replaceAll(/__MSG_(\w+)__/gu, (_, key: string) => {
    const text = messages[key]?.message;
    if (text === undefined) throw new Error(`A page names the message "${key}", which does not exist.`);
    return escapeHtml(text);
  });
}

/** Escapes text for elements and attributes. */
function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);
}
