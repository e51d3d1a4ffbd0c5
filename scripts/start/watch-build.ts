import { build } from 'vite';

import { projectFolder } from '../project-folder.ts';

interface BuildWatch {
  close(): Promise<void>;
}

interface WatchOptions {
  readonly mode: string;
  readonly folder: string;
  /** Called after every build, the first one too. One that failed is printed by Vite and leaves the one before in place. */
  readonly onBuilt: () => void;
}

/** Builds now and after every change of a source file, readable and with source maps. */
export async function watchBuild({ mode, folder, onBuilt }: WatchOptions): Promise<BuildWatch> {
  const watcher = await build({
    root: projectFolder,
    mode,
    logLevel: 'warn',
    build: { outDir: folder, watch: {}, minify: false, sourcemap: 'inline' },
  });
  if (!('on' in watcher)) throw new Error('Vite built once instead of watching');

  watcher.on('event', (event) => {
    if (event.code === 'BUNDLE_END') onBuilt();
    if (event.code === 'ERROR') console.error(`The build failed: ${event.error.message}`);
  });
  return watcher;
}
