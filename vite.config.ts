import { crx } from '@crxjs/vite-plugin';
import type { ManifestV3Export } from '@crxjs/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import manifest from './manifest.json' with { type: 'json' };
import { buildTarget } from './scripts/build-target.ts';
import { classNames } from './scripts/class-names.ts';
import { classicWorker } from './scripts/classic-worker.ts';
import { devPublicScripts } from './scripts/dev-public-scripts.ts';
import { plainImports } from './scripts/plain-imports.ts';
import { inlineStyles } from './scripts/prerender/inline-styles.ts';
import { prerenderPlugin } from './scripts/prerender/prerender-plugin.ts';
import { themedPopupsPlugin } from './scripts/prerender/themed-popups-plugin.ts';
import { reactModules } from './scripts/react-modules.ts';
import { relaxPolicy } from './scripts/relax-policy.ts';
import { specGapsPlugin } from './scripts/spec-gaps/spec-gaps-plugin.ts';

/** Fixed, as the development build's content security policy names it. */
const port = 5817;

/** Builds for one browser, named by the mode: `vite build --mode chromium` or `--mode firefox`. */
export default defineConfig(({ command, mode }) => {
  const browser = mode === 'firefox' ? 'firefox' : 'chrome';
  const isServed = command === 'serve';
  const { background, ...rest } = manifest;
  const source = (isServed ? relaxPolicy(manifest, port) : rest) as ManifestV3Export;
  return {
    publicDir: 'src/static',
    plugins: [
      react(),
      reactModules(),
      specGapsPlugin(),
      plainImports(),
      prerenderPlugin(),
      devPublicScripts(),
      crx({ browser, manifest: source }),
      inlineStyles(),
      themedPopupsPlugin(),
      classicWorker({ entry: background.service_worker, browser }),
    ],
    css: { modules: classNames },
    server: { port, strictPort: true, hmr: { clientPort: port } },
    build: {
      target: buildTarget,
      // What the dev server writes is open to every site, so it never goes where a build to be shipped does.
      outDir: isServed ? `dist/dev-${mode}` : `dist/${mode}`,
      emptyOutDir: true,
      // Both browsers have what it stands in for.
      modulePreload: { polyfill: false },
      license: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  };
});
