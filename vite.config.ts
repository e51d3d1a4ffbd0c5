import { crx } from '@crxjs/vite-plugin';
import type { ManifestV3Export } from '@crxjs/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import manifest from './manifest.json' with { type: 'json' };
import { prerenderPlugin } from './scripts/prerender/prerender-plugin.ts';
import { specGapsPlugin } from './scripts/spec-gaps/spec-gaps-plugin.ts';

/** The oldest browsers that the manifest allows, as the build's target. */
const target = [
  `chrome${manifest.minimum_chrome_version}`,
  `firefox${Number.parseInt(manifest.browser_specific_settings.gecko.strict_min_version, 10)}`,
];

/** Builds for one browser, named by the mode: `vite build --mode chromium` or `--mode firefox`. */
export default defineConfig(({ mode }) => {
  const browser = mode === 'firefox' ? 'firefox' : 'chrome';
  return {
    publicDir: 'src/static',
    plugins: [
      react(),
      specGapsPlugin(),
      prerenderPlugin(),
      crx({ browser, manifest: manifest as ManifestV3Export }),
    ],
    build: {
      target,
      outDir: `dist/${mode}`,
      emptyOutDir: true,
      modulePreload: false,
      license: false,
    },
  };
});
