import { crx, type ManifestV3Export } from '@crxjs/vite-plugin';
import { defineConfig } from 'vite';

import manifest from './manifest.json' with { type: 'json' };
import { buildTarget } from './scripts/build-target.ts';
import { classicScripts } from './scripts/classic-scripts.ts';
import { sourcePlugins } from './scripts/source-plugins.ts';
import { callers } from './src/callers.ts';
import type { Callers } from './src/messaging/callers.ts';

/** Port of the dev server. `npm start` sets it, because the content security policy of its build contains it. */
const port = Number(process.env['DEV_PORT'] ?? 5817);

/** Builds for one browser, named by the mode: `vite build --mode chromium` or `--mode firefox`. */
export default defineConfig(({ command, mode }) => ({
  publicDir: 'src/static',
  plugins: [
    // docs/architecture.md explains each plugin.
    sourcePlugins(),
    crx({
      browser: mode === 'firefox' ? 'firefox' : 'chrome',
      // `scripts/start.ts` installs the extension again when its background changes.
      liveReload: false,
      manifest: (command === 'serve' ? developmentManifest() : manifest) as ManifestV3Export,
    }),
    classicScripts(),
  ],
  server: {
    port,
    strictPort: true,
    hmr: { clientPort: port },
    // Another `npm start` writes there.
    watch: { ignored: ['**/dist/**'] },
  },
  build: {
    target: buildTarget,
    // The files of the dev server are open to every site, so they never go into the folder of a production build.
    outDir: command === 'serve' ? `dist/dev-${mode}-${port}` : `dist/${mode}`,
    emptyOutDir: true,
    // Every browser that the manifest allows supports `modulepreload`.
    modulePreload: { polyfill: false },
    license: false,
    rolldownOptions: {
      // CRXJS adds only the pages that the manifest names.
      input: Object.values<Callers[string]>(callers).flatMap((caller) =>
        caller.kind === 'page' ? [caller.path] : [],
      ),
      // Only for builds, because CRXJS's dev server passes these options to Rollup, which does not know them.
      ...(command === 'build' && { checks: { bundlerTimings: false } }),
    },
  },
}));

/** Returns the manifest with a policy that allows scripts, styles and hot updates from the dev server. */
function developmentManifest(): object {
  const server = `localhost:${port}`;
  const connect = `connect-src 'self' http://${server} ws://${server}`;
  const policy = `script-src 'self' http://${server}; style-src 'self' 'unsafe-inline'; ${connect}; object-src 'none'`;
  return { ...manifest, content_security_policy: { extension_pages: policy } };
}
