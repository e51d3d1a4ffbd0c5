import type { Plugin, Rolldown } from 'vite';

import type manifest from '../../manifest.json';
import { textOfAsset } from './text-of-asset.ts';
import { hashStyles } from './hash-styles.ts';

const LINK = /\s*<link rel="stylesheet"[^>]* href="\/([^"]+)">/gu;
const SCRIPT = /<script type="module"[^>]* src="\/([^"]+)"/gu;

/**
 * Puts the style sheets of the pages into their HTML, for builds only: what is painted first waits for no second file,
 * and React, which has further to come, is not there before that. The manifest allows just these styles, by their hashes.
 */
export function inlineStyles(): Plugin {
  return {
    name: 'inline-styles',
    apply: 'build',
    enforce: 'post',
    // CRXJS's hook: the pages are there, and the manifest is about to be written.
    renderCrxManifest(rendered: typeof manifest, bundle: Rolldown.OutputBundle) {
      const sheets = new Set<string>();
      const hashes = new Set<string>();
      for (const page of pagesOf(bundle)) {
        const html = textOfAsset(bundle, page.fileName);
        const links = stylesOf(bundle, html);
        if (links.length === 0) continue;

        const styles = links.map((path) => textOfAsset(bundle, path)).join('');
        page.source = html
          .replaceAll(LINK, '')
          .replace('</head>', () => `  <style>${styles}</style>\n  </head>`);
        hashes.add(hashStyles(styles));
        for (const path of links) sheets.add(path);
      }
      for (const path of sheets) if (!isLoadedByScript(bundle, path)) delete bundle[path];
      return withStyles(rendered, [...hashes].toSorted());
    },
  } as Plugin;
}

/** The style sheets that a page names, and those of the scripts that its own scripts load. */
function stylesOf(bundle: Rolldown.OutputBundle, html: string): string[] {
  const named = [...html.matchAll(LINK)].map(([, path = '']) => path);
  const later = [...html.matchAll(SCRIPT)]
    .flatMap(([, path = '']) => chunksOf(bundle, [path]))
    .flatMap((script) => chunksOf(bundle, script.dynamicImports))
    .flatMap((script) => Array.from(script.viteMetadata?.importedCss ?? []));
  return [...new Set([...named, ...later])];
}

function chunksOf(bundle: Rolldown.OutputBundle, paths: readonly string[]): Rolldown.OutputChunk[] {
  return paths
    .map((path) => bundle[path])
    .filter((file): file is Rolldown.OutputChunk => file?.type === 'chunk');
}

function pagesOf(bundle: Rolldown.OutputBundle): Rolldown.OutputAsset[] {
  return Object.values(bundle).filter(
    (file): file is Rolldown.OutputAsset => file.type === 'asset' && file.fileName.endsWith('.html'),
  );
}

/** A script that is loaded when it is wanted looks for its styles in a file of their own. */
function isLoadedByScript(bundle: Rolldown.OutputBundle, path: string): boolean {
  return Object.values(bundle).some((file) => file.type === 'chunk' && file.code.includes(path));
}

function withStyles(rendered: typeof manifest, hashes: readonly string[]): typeof manifest {
  const policy = rendered.content_security_policy.extension_pages;
  return {
    ...rendered,
    content_security_policy: {
      extension_pages: policy.replace("style-src 'self'", (own) => [own, ...hashes].join(' ')),
    },
  };
}
