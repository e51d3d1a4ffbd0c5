import { join } from 'node:path';
import { build } from 'vite';

import { runCommand } from './command.ts';
import { projectFolder } from './project-folder.ts';

// Builds for development into a folder, now and after every change of a source file, without minification and with source
// maps. Sends a message to its parent process after every build, and ends with it. If a build fails, its error is printed
// and the previous build is kept.
const [, , mode = '', outDir = ''] = process.argv;
process.on('disconnect', () => process.exit());
// Sets `import.meta.env.DEV`.
process.env['NODE_ENV'] = 'development';
await runCommand(async () => {
  const watcher = await build({
    root: projectFolder,
    mode,
    configFile: join(projectFolder, 'scripts/extension.config.ts'),
    configLoader: 'native',
    logLevel: 'warn',
    build: { outDir, watch: {}, minify: false, sourcemap: 'inline' },
  });
  if (!('on' in watcher)) throw new Error('Vite built once instead of watching');

  watcher.on('event', (event) => {
    if (event.code === 'BUNDLE_END') process.send?.('built');
  });
});
