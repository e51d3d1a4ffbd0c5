import { crx, type ManifestV3Export } from '@crxjs/vite-plugin';
import { defineConfig, mergeConfig } from 'vite';

import manifest from '../manifest.json' with { type: 'json' };
import { callers } from '../src/callers.ts';
import type { Callers } from '../src/messaging/define/define-callers.ts';
import settings from '../vite.config.ts';
import { parseBrowser } from './browsers/find-browser.ts';
import { classicScripts } from './classic-scripts.ts';

/** CRXJS adds only the pages that the manifest names. */
const pages = Object.values<Callers[string]>(callers).flatMap((caller) =>
  caller.kind === 'page' ? [caller.path] : [],
);

/** Builds the extension for the browser that the mode names, with the settings of vite.config.ts. */
export default defineConfig((env) => {
  const browser = parseBrowser(env.mode);
  return mergeConfig(settings(env), {
    plugins: [
      crx({ browser: browser === 'firefox' ? 'firefox' : 'chrome', manifest: manifest as ManifestV3Export }),
      classicScripts(browser),
    ],
    build: { outDir: `dist/${browser}`, emptyOutDir: true, rolldownOptions: { input: pages } },
  });
});
