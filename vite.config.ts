import { crx } from '@crxjs/vite-plugin';
import type { ManifestV3Export } from '@crxjs/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import type { Plugin, Rolldown } from 'vite';

import manifest from './manifest.json' with { type: 'json' };
import { buildApart } from './scripts/build-apart.ts';
import { buildTarget } from './scripts/build-target.ts';
import { contractDigest } from './scripts/contract-digest.ts';
import { devPublicScripts } from './scripts/dev-public-scripts.ts';
import { prerenderPlugin } from './scripts/prerender/prerender-plugin.ts';
import { relaxPolicy } from './scripts/relax-policy.ts';
import { specGapsPlugin } from './scripts/spec-gaps/spec-gaps-plugin.ts';

/** Fixed, as the development build's content security policy names it. */
const port = 5817;

const WORKER = 'worker.js';
const BEFORE_PAINT = 'before-paint.js';

/** Builds for one browser, named by the mode: `vite build --mode chromium` or `--mode firefox`. */
export default defineConfig(({ command, mode }) => {
  const browser = mode === 'firefox' ? 'firefox' : 'chrome';
  const isServed = command === 'serve';
  const { background, options_ui, ...rest } = manifest;
  const source = (isServed ? relaxPolicy(manifest, port) : rest) as ManifestV3Export;
  return {
    publicDir: 'src/static',
    plugins: [
      ...pagePlugins(),
      devPublicScripts(),
      crx({ browser, manifest: source }),
      buildApart({
        parts: [
          // Chromium keeps the compiled code of a classic worker from one start to the next; of a module worker it compiles
          // everything anew (`consumedCacheSize` in traces of 156). And every further file has to be found and read.
          {
            entry: background.service_worker,
            plugins: [specGapsPlugin()],
            output: script(WORKER),
          },
          // Instead of the one in `publicDir`, which is there for the dev server and says more than a page has to load.
          { entry: `src/static/${BEFORE_PAINT}`, plugins: [], output: script(BEFORE_PAINT) },
          // What the pages have in common would be files of their own: more for the popup to wait for.
          { entry: options_ui.page, plugins: pagePlugins() },
        ],
        manifest: {
          options_ui,
          background: browser === 'firefox' ? { scripts: [WORKER] } : { service_worker: WORKER },
        },
      }),
    ],
    server: { port, strictPort: true, hmr: { clientPort: port } },
    build: {
      target: buildTarget,
      // What the dev server writes is open to every site, so it never goes where a build to be shipped does.
      outDir: isServed ? `dist/dev-${mode}` : `dist/${mode}`,
      emptyOutDir: true,
      modulePreload: false,
      license: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  };
});

/** What a page is built with. */
function pagePlugins(): (Plugin | Plugin[])[] {
  return [react(), specGapsPlugin(), contractDigest(), prerenderPlugin()];
}

/** One classic script, whatever it imports. */
function script(entryFileNames: string): Rolldown.OutputOptions {
  return { format: 'iife', strict: true, codeSplitting: false, entryFileNames };
}
