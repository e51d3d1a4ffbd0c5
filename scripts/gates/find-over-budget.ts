import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';

import { textOf } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';
import type { Gate } from './gates.ts';
import { importsOf } from './imports-of.ts';
import { manifestOf, workerOf } from './manifest-of.ts';

/** Bytes of a page with a heading and a button that Vite 8.3.8 builds of React 19.3.1 without a word of configuration. */
const PLAIN_PAGE = 68_068;

/** Most bytes, each file gzipped by itself, of all that is loaded before the popup or the worker runs. */
const POPUP = Math.floor(1.17 * PLAIN_PAGE);
const WORKER = 9_000;

/** Of the popup: its page, what runs before it is painted, its script and its style sheet. Each has to be asked for. */
const MOST_FILES = 4;

/** A popup or a worker that has become too much to start quickly. */
export const findOverBudget: Gate = (extension) => {
  const files = pageFiles(extension, manifestOf(extension).action.default_popup);
  const popup = sizeOf(extension, files);
  const worker = sizeOf(extension, importsOf(extension, workerOf(extension)));
  return [
    ...(popup > POPUP ? [`The popup is ${popup} bytes, of ${POPUP}.`] : []),
    ...(files.length > MOST_FILES ? [`The popup is ${files.length} files, of ${MOST_FILES}.`] : []),
    ...(worker > WORKER ? [`The worker is ${worker} bytes, of ${WORKER}.`] : []),
  ];
};

function pageFiles(extension: BuiltExtension, page: string): string[] {
  const links = [...textOf(extension, page).matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)]
    // What lies elsewhere is refused for that, and has no size here.
    .filter(([, link = '']) => !link.includes('//'))
    .map(([, link = '']) => posix.join(link.startsWith('/') ? '' : posix.dirname(page), link))
    .map((path) => path.replace(/^\//, ''));
  const scripts = links.filter((path) => path.endsWith('.js')).flatMap((path) => importsOf(extension, path));
  return [...new Set([page, ...links, ...scripts])];
}

function sizeOf(extension: BuiltExtension, paths: readonly string[]): number {
  return paths
    .map((path) => gzipSync(textOf(extension, path), { level: 9 }).length)
    .reduce((sum, size) => sum + size, 0);
}
