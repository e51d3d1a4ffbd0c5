import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin, ResolvedConfig, Rolldown } from 'vite';

import type manifest from '../manifest.json';
import { specGapsPlugin } from './spec-gaps/spec-gaps-plugin.ts';

interface ClassicWorker {
  /** The worker's entry, from the project's folder. */
  readonly entry: string;
  readonly browser: 'chrome' | 'firefox';
}

const FILE = 'worker.js';

/**
 * Builds the worker as one classic script and names it in a manifest that has none, for builds only: under development
 * that is CRXJS's business, which knows only module workers.
 *
 * Chromium keeps the compiled code of a classic worker from one start to the next; of a module worker it compiles
 * everything anew (`consumedCacheSize` in traces of 156). And every further file has to be found and read.
 */
export function classicWorker({ entry, browser }: ClassicWorker): Plugin {
  let config: ResolvedConfig | undefined;
  let sources: readonly string[] = [];

  return {
    name: 'classic-worker',
    apply: 'build',
    // After CRXJS's own, which would put a loader before the worker.
    enforce: 'post',
    configResolved(resolved) {
      config = resolved;
      sources = [join(resolved.root, entry)];
    },
    async buildStart() {
      if (config === undefined) return;
      // Before the build, which may fail: then the change that mends it has to be seen.
      for (const path of sources) this.addWatchFile(path);
      const { code, moduleIds } = await bundle(config, entry);
      sources = moduleIds.map((id) => id.replace(/\?.*/, ''));
      for (const path of sources) this.addWatchFile(path);
      this.emitFile({ type: 'asset', fileName: FILE, source: code });
    },
    // CRXJS's hook: the manifest as it is about to be written.
    renderCrxManifest: (rendered: typeof manifest) => ({
      ...rendered,
      background: browser === 'firefox' ? { scripts: [FILE] } : { service_worker: FILE },
    }),
  } as Plugin;
}

async function bundle(
  { root, build: options }: ResolvedConfig,
  entry: string,
): Promise<Rolldown.OutputChunk> {
  const { minify, sourcemap, target } = options;
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [specGapsPlugin()],
    build: {
      write: false,
      target,
      minify,
      sourcemap,
      license: false,
      copyPublicDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: join(root, entry),
        output: { format: 'iife', strict: true, codeSplitting: false },
        checks: { bundlerTimings: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  const [chunk] = built.output;
  return chunk;
}
