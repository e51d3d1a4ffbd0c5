import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { normalizePath, type Plugin, type ResolvedConfig } from 'vite';

import manifest from '../manifest.json' with { type: 'json' };
import type { BrowserName } from './browsers/find-browser.ts';
import { builtManifest, builtPath } from './built-manifest.ts';
import { bundleScript, isContentScript } from './bundle-script.ts';

/** Matches the paths of the background's files from the root. The rules of the linter use the same names. */
const BACKGROUND = /^src\/(?:background\/|features\/(?:.*[/.])?background(?:\.ts$|\/))/u;

/**
 * Builds the background and each content script as one classic script. Chromium keeps the compiled code of a classic
 * worker between starts, and compiles a module worker again each time. Browsers run content scripts only as classic
 * scripts.
 */
export function classicScripts(browser: BrowserName): Plugin {
  let config: ResolvedConfig;

  return {
    name: 'classic-scripts',
    // Runs after CRXJS's plugins, which would put a loader before each script.
    enforce: 'post',
    configResolved: (resolved) => void (config = resolved),
    async buildStart() {
      const sources = readdirSync(join(config.root, 'src'), { recursive: true, encoding: 'utf8' })
        .map((path) => `src/${normalizePath(path)}`)
        .toSorted();
      // All files are watched, because a failed build does not report the files of its scripts.
      for (const path of sources) this.addWatchFile(join(config.root, path));
      const { inlineConfig, build } = config;
      const { minify, sourcemap } = build;
      const add = async (path: string, fileName: string): Promise<void> => {
        const { code } = await bundleScript(path, browser, { ...inlineConfig, build: { minify, sourcemap } });
        this.emitFile({ type: 'asset', fileName, source: code });
      };
      await add(manifest.background.service_worker, 'worker.js');
      for (const path of sources.filter(isContentScript)) await add(path, builtPath(path));
    },
    buildEnd() {
      // The modules that this build has seen are those of the pages.
      const pathOf = (id: string): string => normalizePath(relative(config.root, id));
      const found = [...this.getModuleIds()].find((id) => BACKGROUND.test(pathOf(id)));
      if (found === undefined) return;
      const [importer = ''] = this.getModuleInfo(found)?.importers ?? [];
      this.error(
        `${pathOf(importer)} brings ${pathOf(found)} into a page. Import only its types: \`import type\`.`,
      );
    },
    // CRXJS calls the first hook after it has read manifest.json, and the second before it writes the built manifest. The first
    // one removes the scripts and the resources for web pages, because CRXJS would rewrite them.
    transformCrxManifest: ({ background, content_scripts, web_accessible_resources, ...rest }: Manifest) =>
      rest,
    renderCrxManifest: (rendered: Manifest) => ({
      ...builtManifest(browser),
      // JSON leaves out members that are undefined.
      ...(JSON.parse(JSON.stringify(rendered)) as Manifest),
    }),
  } as Plugin;
}

type Manifest = Readonly<Record<string, unknown>>;
