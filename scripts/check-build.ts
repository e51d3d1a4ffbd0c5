import { readdir, readFile } from 'node:fs/promises';
import { join, posix, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { parseSync } from 'vite';

import { callers } from '../src/callers.ts';
import type { Callers } from '../src/messaging/callers.ts';
import type { BrowserName } from './browsers/find-browser.ts';
import { CommandError } from './command.ts';
import { descriptiveKeys, reviewedAddresses, reviewedManifest } from './reviewed-manifest.ts';

/** A built extension: its files by path, with forward slashes. */
export type BuiltFiles = ReadonlyMap<string, Buffer>;

/** Reads a build. Rejects with a `CommandError` that lists the problems if the build must not be shipped. */
export async function checkBuild(folder: string, browser: BrowserName): Promise<BuiltFiles> {
  const files = await readBuild(folder);
  const problems = findProblems(files);
  if (problems.length === 0) return files;
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

/** Returns the problems of a build, each as a sentence. A production build has no problems. */
export function findProblems(files: BuiltFiles): readonly string[] {
  return [
    ...findUnreviewed(files),
    ...findUnknownCallers(files),
    ...findStrayFiles(files),
    ...findWorkerImports(files),
    ...findPageSchemas(files),
    ...findWrongText(files),
    ...sizesOf(files)
      .filter(({ bytes, ceiling }) => bytes > ceiling)
      .map((size) => `${size.path} is too large: ${describeSize(size)}. It loads ${size.parts.join(', ')}.`),
  ];
}

/** Finds changes of permissions, hosts and policy in the manifest that were not reviewed. */
function findUnreviewed(files: BuiltFiles): readonly string[] {
  const manifest: Readonly<Record<string, unknown>> = manifestOf(files);
  const reviewed = reviewedManifest();
  return [...new Set([...Object.keys(manifest), ...Object.keys(reviewed)])]
    .filter((key) => !descriptiveKeys.includes(key) && !isDeepStrictEqual(manifest[key], reviewed[key]))
    .map(
      (key) =>
        `manifest.json: "${key}" is ${JSON.stringify(manifest[key])} and was reviewed as ` +
        `${JSON.stringify(reviewed[key])}. Review it, then change scripts/reviewed-manifest.ts.`,
    );
}

/** Finds pages, and sites of content scripts, whose calls the background would refuse. */
function findUnknownCallers(files: BuiltFiles): readonly string[] {
  const { action, options_ui: options, content_scripts: scripts = [] } = manifestOf(files);
  const table = Object.values<Callers[string]>(callers);
  const names = new Set(table.flatMap((caller) => (caller.kind === 'page' ? [caller.path] : caller.matches)));
  const sites = scripts.flatMap(({ matches }) => matches);
  const used = [action.default_popup, options?.page, ...sites].filter((name) => name !== undefined);
  return used
    .filter((name) => !names.has(name))
    .map((name) => `manifest.json names "${name}", which is not a caller. Add it to src/callers.ts.`);
}

/** Matches the files of an extension. Names that begin with a dot belong to tools or to the system. */
const EXPECTED = /^(?:manifest\.json|_locales\/\w+\/messages\.json|(?!\.|.*\/\.).+\.(?:js|css|html|png))$/u;

/** Finds files that the extension does not need, such as source maps. */
function findStrayFiles(files: BuiltFiles): readonly string[] {
  return [...files.keys()]
    .filter((path) => !EXPECTED.test(path))
    .map((path) => `${path} does not belong in a build.`);
}

/** Finds `import()` in the worker, which fails in a service worker. */
function findWorkerImports(files: BuiltFiles): readonly string[] {
  return reachableFrom(files, [workerOf(files)])
    .filter((path) => parseSync(path, textOf(files, path)).module.dynamicImports.length > 0)
    .map((path) => `${path} is part of the worker and calls import().`);
}

/** Finds schemas in pages. A page imports only the type of the contract, and the worker validates. */
function findPageSchemas(files: BuiltFiles): readonly string[] {
  return reachableFrom(files, pathsOf(files, /\.html$/u))
    .filter((path) => textOf(files, path).includes('~standard'))
    .map((path) => `${path} brings a schema library into a page.`);
}

const WRONG_TEXT = [
  // Written only by the dev server and by the builds of `npm start`.
  [
    'belongs to a development build',
    /\.(?:js|html)$/u,
    /\/@(?:vite|crx)\/|CRXJS DEV MODE|sourceMappingURL=data:/u,
  ],
  // The content security policy blocks it, and every store rejects it.
  ['runs text as code', /\.js$/u, /(?<![\w$.])(?:eval|Function)\s*\(|\bnew\s+Function\b/u],
  ['names a source map', /\.js$/u, /sourceMappingURL=(?!data:)/u],
  // With a scheme, or without one: `//host` at the start of an attribute, a style or a quoted text.
  [
    'contains the address of another machine, which scripts/reviewed-manifest.ts does not list',
    /\.(?:js|css|html)$/u,
    /(?:https?|wss?):\/\/[\w[][^\s"'`)<>\\]*|(?<=["'`(=]\s*)\/\/[\w[][^\s"'`)<>\\]*\.[^\s"'`)<>\\]+/u,
  ],
] as const;

function findWrongText(files: BuiltFiles): readonly string[] {
  return WRONG_TEXT.flatMap(([wrong, kind, pattern]) =>
    pathsOf(files, kind).flatMap((path) => {
      const all = Array.from(textOf(files, path).matchAll(new RegExp(pattern, 'g')), ([found]) => found);
      const found = all.find((text) => !reviewedAddresses.some((address) => text.startsWith(address)));
      return found === undefined ? [] : [`${path} ${wrong}: ${found}`];
    }),
  );
}

interface Size {
  readonly path: string;
  /** Sum of the sizes of the files, each gzipped by itself. */
  readonly bytes: number;
  /** The files with their sizes, so that a comparison with an earlier build shows which file grew. */
  readonly parts: readonly string[];
  /** Largest size in bytes at which it still starts quickly. */
  readonly ceiling: number;
}

/** Returns the sizes of the files that the popup and the worker load when they start. */
export function sizesOf(files: BuiltFiles): readonly Size[] {
  const popup = manifestOf(files).action.default_popup;
  return [sizeOf(files, popup, popup, 110_000), sizeOf(files, 'the worker', workerOf(files), 20_000)];
}

function sizeOf(files: BuiltFiles, path: string, entry: string, ceiling: number): Size {
  const loaded = reachableFrom(files, [entry]);
  const sizes = loaded.map((file) => gzipSync(textOf(files, file), { level: 9 }).length);
  const parts = loaded.map((file, index) => `${file} (${sizes[index]} B)`);
  return { path, bytes: sizes.reduce((sum, size) => sum + size, 0), parts, ceiling };
}

/** Returns a text such as `68.1 of 110 kB`. */
export function describeSize({ bytes, ceiling }: Size): string {
  return `${(bytes / 1_000).toFixed(1)} of ${ceiling / 1_000} kB`;
}

/** Returns the paths of files, and of all scripts and styles that they name, directly or not. File names are unique. */
function reachableFrom(files: BuiltFiles, entries: readonly string[]): readonly string[] {
  const found = new Set(entries.filter((path) => files.has(path)));
  const loadable = pathsOf(files, /\.(?:js|css)$/u);
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
  action: v.looseObject({ default_popup: v.string() }),
  options_ui: v.optional(v.looseObject({ page: v.string() })),
  content_scripts: v.optional(v.array(v.looseObject({ matches: v.array(v.string()) }))),
});

function manifestOf(files: BuiltFiles): v.InferOutput<typeof Manifest> {
  return v.parse(Manifest, JSON.parse(textOf(files, 'manifest.json')));
}

function workerOf(files: BuiltFiles): string {
  const { service_worker: worker, scripts = [] } = manifestOf(files).background;
  return worker ?? scripts[0] ?? '';
}

function pathsOf(files: BuiltFiles, kind: RegExp): readonly string[] {
  return [...files.keys()].filter((path) => kind.test(path));
}

/** Returns the text of a file, or an empty text if the file does not exist. */
function textOf(files: BuiltFiles, path: string): string {
  return files.get(path)?.toString('utf8') ?? '';
}
