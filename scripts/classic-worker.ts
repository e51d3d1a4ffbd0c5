import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig, type Rolldown } from 'vite';

import manifest from '../manifest.json' with { type: 'json' };
import { sourcePlugins } from './source-plugins.ts';

const FILE = 'worker.js';

/**
 * Builds the background as one classic script, because Chromium keeps the compiled code of a classic worker between
 * starts and compiles a module worker again each time. The dev server does not use it.
 */
export function classicWorker(): Plugin {
  let config: ResolvedConfig;

  return {
    name: 'classic-worker',
    apply: 'build',
    // Runs after CRXJS's plugins, which would put a loader before the worker.
    enforce: 'post',
    configResolved: (resolved) => void (config = resolved),
    async buildStart() {
      // All files are watched, because a failed build does not report the files of the worker.
      const sources = readdirSync(join(config.root, 'src'), { recursive: true, encoding: 'utf8' });
      for (const path of sources) this.addWatchFile(join(config.root, 'src', path));
      this.emitFile({ type: 'asset', fileName: FILE, source: await bundle(config) });
    },
    // CRXJS calls these hooks after it has read the manifest, and before it writes the manifest.
    transformCrxManifest: ({ background, ...rest }: typeof manifest) => rest,
    renderCrxManifest: (rendered: object) => ({
      ...rendered,
      background: config.mode === 'firefox' ? { scripts: [FILE] } : { service_worker: FILE },
    }),
  } as Plugin;
}

async function bundle({ root, build: { minify, sourcemap, target } }: ResolvedConfig): Promise<string> {
  const input = join(root, manifest.background.service_worker);
  const output = { format: 'iife', strict: true, codeSplitting: false } as const;
  const rolldownOptions = { input, output, checks: { bundlerTimings: false } };
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: sourcePlugins(),
    build: { write: false, target, minify, sourcemap, copyPublicDir: false, license: false, rolldownOptions },
  })) as Rolldown.RolldownOutput;
  return built.output[0].code;
}
