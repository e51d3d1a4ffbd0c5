import { join } from 'node:path';
import { build } from 'vite';
import type { Plugin, ResolvedConfig, Rolldown } from 'vite';

import type manifest from '../manifest.json';

/** What is built by itself: a script, or a page with all that it loads. */
interface Part {
  /** From the project's folder. */
  readonly entry: string;
  readonly plugins: readonly (Plugin | Plugin[])[];
  readonly output?: Rolldown.OutputOptions;
}

interface Apart {
  readonly parts: readonly Part[];
  /** What the manifest that is shipped says of them. CRXJS is given one without, or it would build them too. */
  readonly manifest: Readonly<Record<string, unknown>>;
}

type OutputFile = Rolldown.OutputChunk | Rolldown.OutputAsset;

/**
 * Builds each part by itself, so that it shares no file with another one, and puts it with what else is built. For builds
 * only: under development all is CRXJS's business.
 */
export function buildApart({ parts, manifest: entries }: Apart): Plugin {
  let config: ResolvedConfig | undefined;
  let sources: readonly string[] = [];

  return {
    name: 'build-apart',
    apply: 'build',
    // After CRXJS's own, which would put a loader before the worker.
    enforce: 'post',
    configResolved(resolved) {
      config = resolved;
      sources = parts.map(({ entry }) => join(resolved.root, entry));
    },
    async buildStart() {
      if (config === undefined) return;
      // Before the build, which may fail: then the change that mends it has to be seen.
      for (const path of sources) this.addWatchFile(path);
      const files: OutputFile[] = [];
      for (const part of parts) files.push(...(await bundle(config, part)));
      sources = files.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])).map(withoutQuery);
      for (const path of sources) this.addWatchFile(path);
      for (const file of files) {
        const source = file.type === 'chunk' ? file.code : file.source;
        this.emitFile({ type: 'asset', fileName: file.fileName, source });
      }
    },
    // CRXJS's hook: the manifest as it is about to be written.
    renderCrxManifest: (rendered: typeof manifest) => ({ ...rendered, ...entries }),
  } as Plugin;
}

async function bundle(
  { root, publicDir, build: { minify, modulePreload, sourcemap, target } }: ResolvedConfig,
  { entry, plugins, output }: Part,
): Promise<OutputFile[]> {
  const built = (await build({
    root,
    publicDir,
    configFile: false,
    logLevel: 'warn',
    plugins: [...plugins],
    build: {
      write: false,
      target,
      minify,
      sourcemap,
      modulePreload,
      license: false,
      copyPublicDir: false,
      rolldownOptions: {
        input: join(root, entry),
        output: { ...output },
        checks: { bundlerTimings: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  return built.output;
}

function withoutQuery(id: string): string {
  return id.replace(/\?.*/, '');
}
