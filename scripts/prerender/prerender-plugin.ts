import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { createServer } from 'vite';
import type { Plugin } from 'vite';

import { pages } from '../../src/contract/pages.ts';
import type { Page } from '../../src/contract/pages.ts';
import { builtLanguage } from '../../src/contract/themed-popup.ts';
import { classNames } from '../class-names.ts';
import { specGapsPlugin } from '../spec-gaps/spec-gaps-plugin.ts';
import type { Messages } from './translate-with.ts';

interface Renderer {
  readonly renderPage: (page: Page, messages: Messages) => string;
}

const ROOT = '<div id="root"></div>';
const LOCALE = `src/static/_locales/${builtLanguage}/messages.json`;

/**
 * Puts the first frame of each page into its HTML, so that it is painted before any script has run, and fills
 * `__MSG_key__` there, which browsers do only in the manifest and in styles. All of it in the default language.
 *
 * The pages are rendered by a Vite of their own: it reads styles and `SPEC_GAPS.md` as the build does, and nothing of
 * `react-dom/server` gets near the bundles. Under development the frame stays empty and is rendered by the page.
 */
export function prerenderPlugin(): Plugin {
  let folder = '';
  let isBuild = false;
  let rendering: Promise<Record<Page, string>> | undefined;

  return {
    name: 'prerender',
    configResolved(config) {
      folder = config.root;
      isBuild = config.command === 'build';
    },
    buildStart() {
      rendering = undefined;
      this.addWatchFile(join(folder, LOCALE));
    },
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { path }) {
        const messages = JSON.parse(await readFile(join(folder, LOCALE), 'utf8')) as Messages;
        const named = html.replaceAll(/__MSG_(\w+)__/gu, (_, key: string) => {
          const text = messages[key]?.message;
          if (text === undefined)
            throw new Error(`${path} names a message that ${LOCALE} does not have: ${key}`);
          return text;
        });

        const page = pageAt(path);
        if (!isBuild || page === undefined) return named;
        if (!named.includes(ROOT)) throw new Error(`${path} has no ${ROOT} to render the page into.`);
        rendering ??= renderPages(folder, messages);
        const rendered = await rendering;
        return named.replace(ROOT, () => ROOT.replace('><', () => `>${rendered[page]}<`));
      },
    },
  };
}

function pageAt(path: string): Page | undefined {
  if (path === `/${pages.popup}`) return 'popup';
  return path === `/${pages.options}` ? 'options' : undefined;
}

async function renderPages(root: string, messages: Messages): Promise<Record<Page, string>> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    plugins: [react(), specGapsPlugin()],
    css: { modules: classNames },
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { renderPage } = (await server.ssrLoadModule('/scripts/prerender/render-page.tsx')) as Renderer;
    return { popup: renderPage('popup', messages), options: renderPage('options', messages) };
  } finally {
    await server.close();
  }
}
