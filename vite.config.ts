import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

import { buildTarget } from './scripts/build-target.ts';
import { variables } from './scripts/variables.ts';
import { specGapsPlugin } from './src/features/specification/build/spec-gaps-plugin.ts';

/**
 * Settings of everything that is made of source files: pages, the background, content scripts, `npm start` and tests.
 * docs/settings.md explains them. This is a function, because each build needs new plugins.
 */
export default defineConfig(() => ({
  plugins: [
    // Each has its own line, so that the one of the sample can be deleted.
    react(),
    specGapsPlugin(),
    variables(),
  ],
  // It has the aliases, in `paths`. Without its name, Vite does not use them in styles.
  tsconfig: 'tsconfig.json',
  resolve: { tsconfigPaths: true },
  publicDir: 'src/static',
  // Otherwise, Vite reads the settings of PostCSS in parent folders.
  css: { postcss: {} },
  build: {
    target: buildTarget,
    // The policy of the pages allows no `data:` URLs.
    assetsInlineLimit: 0,
    // Every browser that the manifest allows supports `modulepreload`.
    modulePreload: { polyfill: false },
    license: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
}));
