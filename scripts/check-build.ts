import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { parseSync } from 'vite';

import { callers } from '../src/callers.ts';
import type { Callers } from '../src/messaging/define/define-callers.ts';
import type { BrowserName } from './browsers/find-browser.ts';
import { builtManifest } from './built-manifest.ts';
import { type BuiltFiles, findRefused } from './check-store.ts';
import { CommandError } from './command.ts';
import { findFirstError } from './first-turn.ts';

/** Rejects with a `CommandError` that lists the problems if a build must not be shipped. */
export async function checkBuild(folder: string, browser: BrowserName): Promise<void> {
  const files = await readBuild(folder);
  const found = findProblems(files, browser);
  // The script of a build with other problems is not run.
  const problems = found.length > 0 ? found : await findFailedStart(files);
  if (problems.length === 0) return;
  throw new CommandError(`The build for ${browser} must not be shipped:\n${problems.join('\n')}`);
}

export async function readBuild(folder: string): Promise<BuiltFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();
  const files = paths.map(
    async (path) => [path.replaceAll(sep, '/'), await readFile(join(folder, path))] as const,
  );
  return new Map(await Promise.all(files));
}

/** Finds an error that the script of the background throws. */
async function findFailedStart(files: BuiltFiles): Promise<readonly string[]> {
  const path = workerOf(files);
  const error = await findFirstError({ script: textOf(files, path), path, manifest: manifestOf(files) });
  if (error === undefined) return [];
  return [`${path} throws an error at its start, so no page can reach the background: ${error}`];
}

/** Returns the problems of a build, each as a sentence that says what to do. A production build has no problems. */
export function findProblems(files: BuiltFiles, browser: BrowserName): readonly string[] {
  return [
    ...findChangedRights(files, browser),
    ...findMissingScripts(files),
    ...findUnknownCallers(files),
    ...findUnsupported(files),
    ...findStrayFiles(files),
    ...findWorkerImports(files),
    ...findPageSchemas(files),
    ...findWrongText(files),
    ...findForbiddenUrls(files),
    ...findLargeParts(files),
    ...findRefused(files, browser),
  ];
}

/** Finds members of the built manifest that manifest.json does not state, such as a permission that a plugin adds. */
function findChangedRights(files: BuiltFiles, browser: BrowserName): readonly string[] {
  const built = JSON.parse(textOf(files, 'manifest.json')) as Readonly<Record<string, unknown>>;
  const stated = builtManifest(browser);
  return [...new Set([...Object.keys(built), ...Object.keys(stated)])]
    .filter((key) => !isDeepStrictEqual(built[key], stated[key]))
    .map(
      (key) =>
        `The build states "${key}" as ${JSON.stringify(built[key])}, and manifest.json as ` +
        `${JSON.stringify(stated[key])}. Write it into manifest.json, or remove the plugin that changes it.`,
    );
}

/** Finds content scripts and their styles that are not in the build, so that a browser refuses the extension. */
function findMissingScripts(files: BuiltFiles): readonly string[] {
  const { content_scripts: scripts } = manifestOf(files);
  const missing = (paths: readonly string[]): readonly string[] => paths.filter((path) => !files.has(path));
  return [
    ...missing(contentScriptsOf(files)).map(
      (path) =>
        `manifest.json names the content script ${path}, which is not built. Move its source to ` +
        'src/features/<name>/content.ts.',
    ),
    ...missing(scripts.flatMap(({ css }) => css)).map(
      (path) =>
        `manifest.json names the style sheet ${path}, which is not in the build. Move it to src/static/${path}.`,
    ),
  ];
}

/** Finds pages, and sites of content scripts, whose calls the background would refuse. */
function findUnknownCallers(files: BuiltFiles): readonly string[] {
  const { action, options_ui: options, content_scripts: scripts } = manifestOf(files);
  const table = Object.values<Callers[string]>(callers);
  const paths = new Set(table.flatMap((caller) => (caller.kind === 'page' ? [caller.path] : [])));
  const sites = table.flatMap((caller) => (caller.kind === 'contentScript' ? caller.matches : []));
  const pages = [action?.default_popup, options?.page].filter((page) => page !== undefined);
  const unknown = [
    ...pages.filter((page) => !paths.has(page)),
    ...scripts.flatMap(({ matches }) => matches).filter((site) => !isCaller(site, sites)),
  ];
  return unknown.map(
    (name) => `manifest.json names "${name}", which is not a caller. Add it to src/callers.ts.`,
  );
}

/**
 * Returns `true` if one pattern of the callers has the scheme and all hosts of a match pattern, as far as their texts show it.
 * Paths and ports are not compared: manifest.json cannot name a port, and the callers may allow only some ports of a site.
 */
export function isCaller(site: string, sites: readonly string[]): boolean {
  // Pages of the file system cannot be callers.
  if (site.startsWith('file:')) return true;
  const [scheme = '', host = ''] = originOf(site).split('://');
  const labels = host.replace(/^\*\./u, '').split('.');
  const parents = labels.map((_, index) => `*.${labels.slice(index).join('.')}`);
  const hosts = [host, '*', ...parents];
  const wider = new Set(['<all_urls>', ...hosts.flatMap((one) => [`${scheme}://${one}`, `*://${one}`])]);
  return sites.some((one) => wider.has(originOf(one)));
}

/** Returns a match pattern without its port and its path. */
const originOf = (pattern: string): string =>
  pattern
    .split('/', 3)
    .join('/')
    .replace(/:(?:\d+|\*)$/u, '');

/** Finds values in the manifest that one of the two browsers refuses, or that the core does not support. */
function findUnsupported(files: BuiltFiles): readonly string[] {
  const manifest = manifestOf(files);
  const patterns = [
    ...manifest.content_scripts.flatMap(({ matches }) => matches),
    ...manifest.host_permissions,
    ...manifest.optional_host_permissions,
  ];
  const withPort = patterns.filter((pattern) => /^[^/]+:\/\/[^/]*:(?:\d+|\*)\//u.test(pattern));
  const split =
    'manifest.json sets "incognito" to "split", which runs a second worker for private windows. Both would change the same ' +
    'state. Use "spanning" or "not_allowed".';
  return [
    ...withPort.map(
      (pattern) =>
        `manifest.json has "${pattern}", and Firefox ignores a pattern with a port. Remove the port in manifest.json, and keep it in src/callers.ts.`,
    ),
    ...(manifest.incognito === 'split' ? [split] : []),
  ];
}

/** Matches files of tools, of systems and of the source. */
const STRAY = /(?:^|\/)(?:\.[^/]*|Thumbs\.db|[^/]+\.(?:map|tsx?|jsx|pem))$|(?:^|\/)\.[^/]+\//u;

/** Finds files that the extension does not need, such as source maps. */
function findStrayFiles(files: BuiltFiles): readonly string[] {
  return pathsOf(files, STRAY).map(
    (path) =>
      `${path} does not belong in a build. Remove it from src/static, or turn off the option that writes it.`,
  );
}

/** Finds `import()` in the worker, which fails in a service worker: https://web.dev/articles/es-modules-in-sw. */
function findWorkerImports(files: BuiltFiles): readonly string[] {
  const path = workerOf(files);
  if (parseSync(path, textOf(files, path)).module.dynamicImports.length === 0) return [];
  return [`${path} calls import(), which fails in a worker. Import the module at the top of a file.`];
}

/** Finds schemas in pages. A page imports only the types of the background, which validates. */
function findPageSchemas(files: BuiltFiles): readonly string[] {
  return reachableFrom(files, pathsOf(files, /\.html$/u))
    .filter((path) => textOf(files, path).includes('~standard'))
    .map(
      (path) =>
        `${path} brings a schema into a page. Import only types from files that have schemas: \`import type\`.`,
    );
}

/** Text that a script or page must not contain, with the problem and its solution. */
const WRONG_TEXT = [
  [
    'is from a development build. Run `npm run build`',
    /\.(?:js|html)$/u,
    /\/@(?:vite|crx)\/|CRXJS DEV MODE|sourceMappingURL=data:/u,
  ],
  [
    'runs text as code, which every store rejects. Call a function instead, or replace the library that does it',
    /\.js$/u,
    /(?<![\w$.])(?:eval|Function)\s*\(|\bnew\s+Function\b/u,
  ],
  [
    'loads code from another machine, which every store rejects. Ship it with the extension',
    /\.js$/u,
    /\b(?:import|from|importScripts|Worker)\s*\(?\s*["'`](?:https?:)?\/\/[^"'`]+/u,
  ],
  [
    'loads code from another machine, which every store rejects. Ship it with the extension',
    /\.html$/u,
    /<script\b[^>]*\ssrc\s*=\s*["']?(?:https?:)?\/\/[^\s"'>]+/iu,
  ],
  [
    'has all of `import.meta.env`, which can have a secret. Read one member by its name, such as `import.meta.env.DEV`',
    /\.js$/u,
    /\bBASE_URL["']?\s*:/u,
  ],
  ['names a source map. Turn off `build.sourcemap`', /\.js$/u, /sourceMappingURL=(?!data:)/u],
] as const;

function findWrongText(files: BuiltFiles): readonly string[] {
  return WRONG_TEXT.flatMap(([wrong, kind, pattern]) =>
    pathsOf(files, kind).flatMap((path) => {
      const found = pattern.exec(textOf(files, path))?.[0];
      return found === undefined ? [] : [`${path} ${wrong}: ${found}`];
    }),
  );
}

/** Finds `data:` URLs of images and fonts in the styles of pages, which the policy of the pages forbids. */
function findForbiddenUrls(files: BuiltFiles): readonly string[] {
  const { extension_pages: policy = '' } = manifestOf(files).content_security_policy;
  const directives = new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/u);
      return [name, sources] as const;
    }),
  );
  const isForbidden = (kind: string): boolean =>
    !(directives.get(`${kind}-src`) ?? directives.get('default-src') ?? ['data:']).includes('data:');
  return pathsOf(files, /^assets\/.*\.css$/u).flatMap((path) => {
    const kinds = [...textOf(files, path).matchAll(/url\(\s*["']?data:(?:application\/)?(font|image)?/giu)];
    const forbidden = new Set(kinds.map(([, kind = 'img']) => (kind === 'font' ? 'font' : 'img')));
    return [...forbidden]
      .filter(isForbidden)
      .map(
        (kind) =>
          `${path} has a \`data:\` URL, which the \`${kind}-src\` of the pages forbids. Use a file, or allow it in manifest.json.`,
      );
  });
}

/**
 * Largest sizes in kB, compressed. They leave room for ten features of 4 kB each, the size of two features that were
 * tried, and stop accidents: React has 67 kB. Without such features, the worker has 21 kB and the options page 142 kB.
 */
const CEILINGS = { worker: 70, page: 200, contentScript: 100 };

interface Size {
  /** The worker, or the path of a page or of a content script. */
  readonly part: string;
  /** Sum of the sizes of the files that it loads, each gzipped by itself. */
  readonly bytes: number;
  /** The files with their sizes, so that a comparison with an earlier build shows which file grew. */
  readonly loaded: readonly string[];
  /** In kB. */
  readonly ceiling: number;
}

/** Returns the sizes of everything that a browser loads at once. */
export function sizesOf(files: BuiltFiles): readonly Size[] {
  const { worker, page, contentScript } = CEILINGS;
  return [
    sizeOf(files, 'the worker', workerOf(files), worker),
    ...pathsOf(files, /\.html$/u).map((path) => sizeOf(files, path, path, page)),
    ...contentScriptsOf(files).map((path) => sizeOf(files, path, path, contentScript)),
  ];
}

function sizeOf(files: BuiltFiles, part: string, entry: string, ceiling: number): Size {
  const sizes = reachableFrom(files, [entry]).map(
    (path) => [path, gzipSync(textOf(files, path), { level: 9 }).length] as const,
  );
  const bytes = sizes.reduce((sum, [, size]) => sum + size, 0);
  return { part, bytes, loaded: sizes.map(([path, size]) => `${path} (${size} B)`), ceiling };
}

function findLargeParts(files: BuiltFiles): readonly string[] {
  return sizesOf(files)
    .filter(({ bytes, ceiling }) => bytes > ceiling * 1_000)
    .map(
      (size) =>
        `${size.part} is too large: ${describeSize(size)}. It loads ${size.loaded.join(', ')}. Find what grew, or ` +
        'raise the ceiling in scripts/check-build.ts.',
    );
}

/** Returns a text such as `68.1 of 200 kB`. */
export function describeSize({ bytes, ceiling }: Size): string {
  return `${(bytes / 1_000).toFixed(1)} of ${ceiling} kB`;
}

/** Returns the paths of files, and of all scripts and styles in `assets/` that they name, directly or not. */
function reachableFrom(files: BuiltFiles, entries: readonly string[]): readonly string[] {
  const found = new Set(entries.filter((path) => files.has(path)));
  // Names there are unique. Other scripts are loaded only by the browser.
  const loadable = pathsOf(files, /^assets\/.*\.(?:js|css)$/u);
  // The loop over a set includes files that are added during the loop.
  for (const path of found) {
    const text = textOf(files, path);
    for (const other of loadable) if (text.includes(`/${posix.basename(other)}`)) found.add(other);
  }
  return [...found];
}

const Manifest = v.looseObject({
  background: v.looseObject({
    service_worker: v.optional(v.string()),
    scripts: v.optional(v.array(v.string())),
  }),
  action: v.optional(v.looseObject({ default_popup: v.optional(v.string()) })),
  options_ui: v.optional(v.looseObject({ page: v.string() })),
  content_scripts: v.optional(
    v.array(
      v.looseObject({
        matches: v.array(v.string()),
        js: v.optional(v.array(v.string()), []),
        css: v.optional(v.array(v.string()), []),
      }),
    ),
    [],
  ),
  content_security_policy: v.optional(v.looseObject({ extension_pages: v.optional(v.string()) }), {}),
  host_permissions: v.optional(v.array(v.string()), []),
  optional_host_permissions: v.optional(v.array(v.string()), []),
  incognito: v.optional(v.string()),
});

function manifestOf(files: BuiltFiles): v.InferOutput<typeof Manifest> {
  return v.parse(Manifest, JSON.parse(textOf(files, 'manifest.json')));
}

function workerOf(files: BuiltFiles): string {
  const { service_worker: worker, scripts = [] } = manifestOf(files).background;
  return worker ?? scripts[0] ?? '';
}

function contentScriptsOf(files: BuiltFiles): readonly string[] {
  return manifestOf(files).content_scripts.flatMap(({ js }) => js);
}

function pathsOf(files: BuiltFiles, kind: RegExp): readonly string[] {
  return [...files.keys()].filter((path) => kind.test(path));
}

/** Returns the text of a file, or an empty text if the file does not exist. */
function textOf(files: BuiltFiles, path: string): string {
  return files.get(path)?.toString('utf8') ?? '';
}
