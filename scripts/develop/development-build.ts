import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { build, normalizePath, type ViteDevServer } from 'vite';

import type { BrowserName } from '../browsers/find-browser.ts';
import { builtManifest, builtPath } from '../built-manifest.ts';
import { bundleScript, isContentScript, type Script } from '../bundle-script.ts';
import { CommandError } from '../command.ts';
import { findFirstError } from '../first-turn.ts';
import { projectFolder } from '../project-folder.ts';
import { developmentPolicy } from './policy.ts';
import { servePage } from './page.ts';

/** The part of the extension that the browser must take over after an edit. Vite replaces parts of pages by itself. */
export type Replaced = 'nothing' | 'background' | 'extension';

const WORKER = 'worker.js';

const SETTINGS = { logLevel: 'warn', build: { minify: false, sourcemap: 'inline' } } as const;

interface Manifest {
  readonly manifest_version: number;
  readonly background: { readonly service_worker: string };
  readonly content_security_policy: { readonly extension_pages: string };
}

/**
 * The folder of the extension that a browser runs during development. It has the manifest, the static files and the scripts of
 * the background and of web pages. Its pages load everything else from Vite's server.
 */
export class DevelopmentBuild {
  readonly folder: string;
  /** `false` if the browser cannot load pages from a server. Then each update builds the whole extension. */
  servesPages = true;
  readonly #browser: BrowserName;
  /** The files in the folder by their paths. */
  #files: ReadonlyMap<string, string | Buffer> = new Map();
  /** The scripts by the paths of their sources. A script that must be built again is missing. */
  readonly #scripts = new Map<string, Script>();
  /** `true` if the folder has the scripts of all edits. */
  #isComplete = false;
  /** Number of edits so far. A script that is edited while it is built must be built again. */
  #edits = 0;
  /** The scripts of pages that were inside their HTML, by their paths on the server. */
  #pageScripts: ReadonlyMap<string, string> = new Map();

  constructor(browser: BrowserName, folder: string) {
    this.#browser = browser;
    this.folder = folder;
  }

  /** Notes an edit of a file. Returns `true` if the folder must be updated. */
  noteEdit(event: string, file: string, { config }: ViteDevServer): boolean {
    const path = normalizePath(relative(config.root, file));
    if (!this.servesPages) return true;
    this.#edits += 1;
    // A file that is added or removed can change what an import finds.
    if (event !== 'change' || path === 'tsconfig.json') this.forgetScripts();
    for (const [source, { files }] of this.#scripts) {
      // A style sheet can import others, which are not in the list.
      const isMadeOf =
        files.includes(file) || (file.endsWith('.css') && files.some((made) => made.endsWith('.css')));
      if (isMadeOf) this.#forget(source);
    }
    return (
      !this.#isComplete ||
      path === 'manifest.json' ||
      path.endsWith('.html') ||
      isWithin(config.publicDir, file)
    );
  }

  /** Builds all scripts again in the next update, because their settings may have changed. */
  forgetScripts(): void {
    for (const source of this.#scripts.keys()) this.#forget(source);
    this.#isComplete = false;
  }

  #forget(source: string): void {
    this.#scripts.delete(source);
    this.#isComplete = false;
  }

  /** Returns a script of a page by its path on the server. */
  pageScript(path: string): string | undefined {
    return this.#pageScripts.get(path);
  }

  /**
   * Writes the files that have changed. Rejects if a script cannot be built, or with a `CommandError` if the background throws
   * an error at its start. The folder then keeps what it has.
   */
  async update(server: ViteDevServer): Promise<Replaced> {
    if (!this.servesPages) {
      await this.#buildWhole();
      return 'extension';
    }
    const edits = this.#edits;
    const manifest = JSON.parse(
      await readFile(join(server.config.root, 'manifest.json'), 'utf8'),
    ) as Manifest;
    const before = this.#files;
    const files = new Map<string, string | Buffer>([
      ...(await readFiles(server.config.publicDir)),
      ...(await this.#bundleScripts(server, manifest)),
      ...(await this.#servePages(server)),
      ['manifest.json', developmentManifest(this.#browser, manifest, originOf(server))],
    ]);
    const changed = [...files].filter(([path, content]) => !isSame(content, before.get(path)));
    const removed = [...before.keys()].filter((path) => !files.has(path));
    for (const [path, content] of changed) {
      await mkdir(dirname(join(this.folder, path)), { recursive: true });
      await writeFile(join(this.folder, path), content);
    }
    for (const path of removed) await rm(join(this.folder, path), { force: true });
    this.#files = files;
    this.#isComplete = edits === this.#edits;
    return findReplaced([...changed.map(([path]) => path), ...removed]);
  }

  async #buildWhole(): Promise<void> {
    await build({
      root: projectFolder,
      mode: this.#browser,
      configFile: join(projectFolder, 'scripts/extension.config.ts'),
      logLevel: 'warn',
      build: { outDir: this.folder, minify: false, sourcemap: 'inline' },
    });
  }

  async #bundleScripts(server: ViteDevServer, manifest: Manifest): Promise<ReadonlyMap<string, string>> {
    const { root } = server.config;
    const sources = (await listFiles(join(root, 'src'))).map((path) => `src/${path}`);
    const background = manifest.background.service_worker;
    const scripts = new Map<string, string>();
    for (const source of [background, ...sources.filter(isContentScript)]) {
      const script = this.#scripts.get(source) ?? (await this.#bundleScript(source, source === background));
      scripts.set(source === background ? WORKER : builtPath(source), script.code);
    }
    return scripts;
  }

  async #bundleScript(source: string, isBackground: boolean): Promise<Script> {
    const edits = this.#edits;
    const script = await bundleScript(source, this.#browser, SETTINGS);
    if (isBackground) await this.#checkFirstTurn(script.code);
    if (edits === this.#edits) this.#scripts.set(source, script);
    return script;
  }

  /** A browser does not start a background that throws an error at its start, so no page could reach it. */
  async #checkFirstTurn(script: string): Promise<void> {
    const manifest = { background: this.#browser === 'firefox' ? {} : { service_worker: WORKER } };
    const error = await findFirstError({ script, path: WORKER, manifest });
    if (error !== undefined) throw new CommandError(`The background throws an error at its start: ${error}`);
  }

  async #servePages(server: ViteDevServer): Promise<ReadonlyMap<string, string>> {
    const { root } = server.config;
    const pages = (await listFiles(join(root, 'src'))).filter((path) => path.endsWith('.html'));
    const scripts: [string, string][] = [];
    const served = pages.map(async (name) => {
      const path = `src/${name}`;
      const html = await server.transformIndexHtml(`/${path}`, await readFile(join(root, path), 'utf8'));
      const page = servePage(html, path, originOf(server));
      scripts.push(...page.scripts);
      return [path, page.html] as const;
    });
    const files = new Map(await Promise.all(served));
    this.#pageScripts = new Map(scripts);
    return files;
  }
}

/** Returns the origin of a server, such as `http://localhost:5173`. */
function originOf({ config }: ViteDevServer): string {
  return `http://localhost:${config.server.port}`;
}

function findReplaced(paths: readonly string[]): Replaced {
  const ofBrowser = paths.filter((path) => !path.endsWith('.html'));
  if (ofBrowser.length === 0) return 'nothing';
  return ofBrowser.every((path) => path === WORKER) ? 'background' : 'extension';
}

function developmentManifest(browser: BrowserName, manifest: Manifest, server: string): string {
  const { extension_pages: policy } = manifest.content_security_policy;
  const own = { content_security_policy: { extension_pages: developmentPolicy(policy, server) } };
  return JSON.stringify({ ...builtManifest(browser, manifest), ...own });
}

const isSame = (one: string | Buffer, other: string | Buffer | undefined): boolean =>
  other !== undefined && Buffer.from(one).equals(Buffer.from(other));

const isWithin = (folder: string, file: string): boolean => !relative(folder, file).startsWith('..');

/** Returns the paths of all files in a folder and its folders, with slashes. */
async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => normalizePath(relative(folder, posix.join(parentPath, name))))
    .toSorted();
}

async function readFiles(folder: string): Promise<readonly (readonly [string, Buffer])[]> {
  const paths = await listFiles(folder);
  return Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path))] as const));
}
