import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, normalizePath, type Plugin, type ResolvedConfig, type Rolldown } from 'vite';

import manifest from '../manifest.json' with { type: 'json' };
import { parseBrowser } from './browsers/find-browser.ts';
import { builtManifest, builtPath } from './built-manifest.ts';
import { sourcePlugins } from './source-plugins.ts';

/** Matches the paths of the background's files from the root. The rules of the linter use the same names. */
const BACKGROUND = /^src\/(?:background\/|features\/(?:.*[/.])?background(?:\.ts$|\/))/u;

/**
 * Builds the background and each content script as one classic script. Chromium keeps the compiled code of a classic
 * worker between starts, and compiles a module worker again each time. Browsers run content scripts only as classic
 * scripts.
 */
export function classicScripts(): Plugin {
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
      const add = async (path: string, fileName: string): Promise<void> => {
        this.emitFile({ type: 'asset', fileName, source: await bundle(path, config) });
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
      ...builtManifest(parseBrowser(config.mode)),
      // JSON leaves out members that are undefined.
      ...(JSON.parse(JSON.stringify(rendered)) as Manifest),
    }),
  } as Plugin;
}

function isContentScript(path: string): boolean {
  return /^src\/features\/[^/]+\/content\.tsx?$/u.test(path);
}

type Manifest = Readonly<Record<string, unknown>>;

async function bundle(path: string, { root, mode, build: options }: ResolvedConfig): Promise<string> {
  const { minify, sourcemap, target } = options;
  // An IIFE evaluates to `undefined`. If an injected script evaluated to a promise, Chromium would wait for that promise before
  // it fires the `load` event of the page.
  const output = { format: 'iife', strict: true, codeSplitting: false } as const;
  const onLog: Rolldown.InputOptions['onLog'] = (level, log, print) => {
    if (log.code !== 'EMPTY_IMPORT_META') return print(level, log);
    throw new Error(
      `${path} uses \`import.meta\`, which a classic script does not have. Use \`runtime.getURL\`.`,
    );
  };
  const rolldownOptions = { input: join(root, path), output, checks: { bundlerTimings: false }, onLog };
  const built = (await build({
    root,
    mode,
    configFile: false,
    logLevel: 'warn',
    plugins: sourcePlugins(),
    // Libraries find their files with it. The files of a content script are not at the address of its page.
    ...(!isContentScript(path) && { define: { 'import.meta.url': 'self.location.href' } }),
    build: { write: false, target, minify, sourcemap, copyPublicDir: false, license: false, rolldownOptions },
  })) as Rolldown.RolldownOutput;
  const [script, ...others] = built.output;
  if (others.length > 0) throw new Error(`${path} must become one file, but imports ${others[0]?.fileName}.`);
  return script.code;
}
