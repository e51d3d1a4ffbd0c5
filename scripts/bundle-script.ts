import { join, resolve } from 'node:path';
import { build, type InlineConfig, mergeConfig, type Plugin, type Rolldown } from 'vite';

import type { BrowserName } from './browsers/find-browser.ts';
import { projectFolder } from './project-folder.ts';

export interface Script {
  readonly code: string;
  /** Absolute paths of the modules that it was made of, except files that a plugin has read by itself. */
  readonly files: readonly string[];
}

/** Stands for the styles of a content script until they are known. It is a name, which no minifier changes. */
const STYLES = '__STYLES_OF_THIS_CONTENT_SCRIPT__';

/**
 * Bundles the background or a content script as one classic script, with the settings of vite.config.ts. It needs no build of
 * the pages. `process.env.NODE_ENV` decides on `import.meta.env.DEV`.
 *
 * @param path from the root, such as `src/background/main.ts`
 * @param inlineConfig settings of the command, such as `build.minify` and `define`
 */
export async function bundleScript(
  path: string,
  browser: BrowserName,
  inlineConfig: InlineConfig = {},
): Promise<Script> {
  const files = new Set<string>();
  const listFiles: Plugin = {
    name: 'list-files',
    buildEnd() {
      // A module without a file has a name that is not an absolute path.
      const paths = [...this.getModuleIds()].map((id) => id.replace(/\?.*$/u, ''));
      for (const file of paths) if (resolve(file) === resolve('/', file)) files.add(resolve(file));
    },
  };
  const settings: InlineConfig = {
    root: projectFolder,
    mode: browser,
    configFile: join(projectFolder, 'vite.config.ts'),
    plugins: [listFiles],
    define: isContentScript(path)
      ? { 'import.meta.env.STYLES': STYLES }
      : // Libraries find their files with it. The files of a content script are not at the address of its page.
        { 'import.meta.url': 'self.location.href' },
    build: {
      write: false,
      watch: null,
      copyPublicDir: false,
      // Otherwise, a content script would look for its images on the web page.
      assetsInlineLimit: 4_096,
      // Otherwise, Vite would put the styles into the web page.
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(projectFolder, path),
        // An IIFE evaluates to `undefined`. If an injected script evaluated to a promise, Chromium would wait for that promise
        // before it fires the `load` event of the page.
        output: { format: 'iife', strict: true, codeSplitting: false },
        onLog(level, log, print) {
          if (log.code !== 'EMPTY_IMPORT_META') return print(level, log);
          throw new Error(
            `${path} uses \`import()\` or \`import.meta\`, which a classic script does not have. Import the module at the top of ` +
              'the file, or use `runtime.getURL` for an address.',
          );
        },
      },
    },
  };
  const { output } = (await build(mergeConfig(inlineConfig, settings))) as Rolldown.RolldownOutput;
  return { code: joinOutput(path, output), files: [...files] };
}

export function isContentScript(path: string): boolean {
  return /^src\/features\/[^/]+\/content\.tsx?$/u.test(path);
}

/** Returns the code of a script with its styles. */
function joinOutput(path: string, [script, ...others]: Rolldown.RolldownOutput['output']): string {
  const isStyles = ({ fileName }: { readonly fileName: string }): boolean =>
    isContentScript(path) && fileName.endsWith('.css');
  const other = others.find((file) => !isStyles(file));
  if (other) throw new Error(`${path} must become one file, but imports ${other.fileName}.`);
  const styles = others.map((file) => ('source' in file ? file.source.toString() : '')).join('');
  if (styles !== '' && !script.code.includes(STYLES)) {
    throw new Error(
      `${path} imports styles, and does not give them to its shadow root. Use \`import.meta.env.STYLES\` as in docs/settings.md.`,
    );
  }
  return script.code.replaceAll(STYLES, () => JSON.stringify(styles));
}
