import { crx, type ManifestV3Export } from '@crxjs/vite-plugin';
import { defineConfig } from 'vite';

import manifest from './manifest.json' with { type: 'json' };
import { buildTarget } from './scripts/build-target.ts';
import { classicScripts } from './scripts/classic-scripts.ts';
import { sourcePlugins } from './scripts/source-plugins.ts';
import { callers } from './src/callers.ts';
import type { Callers } from './src/messaging/define/define-callers.ts';

/** Builds for one browser, named by the mode: `vite build --mode chromium` or `--mode firefox`. */
export default defineConfig(({ mode }) => ({
  publicDir: 'src/static',
  plugins: [
    // docs/architecture.md explains our own plugins.
    sourcePlugins(),
    crx({ browser: mode === 'firefox' ? 'firefox' : 'chrome', manifest: manifest as ManifestV3Export }),
    classicScripts(),
  ],
  build: {
    target: buildTarget,
    outDir: `dist/${mode}`,
    emptyOutDir: true,
    // The policy of the pages allows no `data:` URLs.
    assetsInlineLimit: 0,
    // Every browser that the manifest allows supports `modulepreload`.
    modulePreload: { polyfill: false },
    license: false,
    rolldownOptions: {
      // CRXJS adds only the pages that the manifest names.
      input: Object.values<Callers[string]>(callers).flatMap((caller) =>
        caller.kind === 'page' ? [caller.path] : [],
      ),
      checks: { bundlerTimings: false },
    },
  },
}));
