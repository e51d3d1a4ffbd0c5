import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin, ResolvedConfig, Rolldown } from 'vite';

import manifest from '../../manifest.json' with { type: 'json' };
import { specGapsPlugin } from '../spec-gaps/spec-gaps-plugin.ts';

const ENTRY = manifest.background.service_worker;
const FILE = 'worker.js';

/**
 * Builds the background as one classic script, for builds only: Chromium keeps the compiled code of a classic worker
 * from one start to the next, and compiles a module worker again each time.
 */
export function classicWorker(): Plugin {
  let config: ResolvedConfig | undefined;
  let sources: readonly string[] = [];

  return {
    name: 'classic-worker',
    apply: 'build',
    // After CRXJS's own, which would put a loader before the worker.
    enforce: 'post',
    configResolved(resolved) {
      config = resolved;
      sources = [join(resolved.root, ENTRY)];
    },
    async buildStart() {
      if (config === undefined) return;
      // Before the build, which may fail: the change that repairs it must be noticed.
      for (const path of sources) this.addWatchFile(path);
      const { code, moduleIds } = await bundle(config);
      sources = moduleIds.map((id) => id.replace(/\?.*/, ''));
      for (const path of sources) this.addWatchFile(path);
      this.emitFile({ type: 'asset', fileName: FILE, source: code });
    },
    // CRXJS's hooks: the manifest as it was read, and as it is about to be written.
    transformCrxManifest: ({ background, ...rest }: typeof manifest) => rest,
    renderCrxManifest: (rendered: object) => ({
      ...rendered,
      background: config?.mode === 'firefox' ? { scripts: [FILE] } : { service_worker: FILE },
    }),
  } as Plugin;
}

async function bundle({ root, build: options }: ResolvedConfig): Promise<Rolldown.OutputChunk> {
  const { minify, sourcemap, target } = options;
  const output = { format: 'iife', strict: true, codeSplitting: false } as const;
  const rolldownOptions = { input: join(root, ENTRY), output, checks: { bundlerTimings: false } };
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [specGapsPlugin()],
    build: { write: false, target, minify, sourcemap, copyPublicDir: false, license: false, rolldownOptions },
  })) as Rolldown.RolldownOutput;
  return built.output[0];
}
