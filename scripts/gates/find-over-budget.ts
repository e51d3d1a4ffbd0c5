import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';

import { Theme } from '../../src/contract/preferences.ts';
import { themedPopup } from '../../src/contract/themed-popup.ts';
import { textOf } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';
import type { Gate } from './gates.ts';
import { importsOf } from './imports-of.ts';
import { manifestOf, workerOf } from './manifest-of.ts';

/** Bytes of a page with a heading and a button that Vite 8.3.8 builds of React 19.3.1 without a word of configuration. */
const PLAIN_PAGE = 68_068;

/** Most bytes, each file gzipped by itself, of all that a popup or the worker loads to start. */
const POPUP = Math.floor(1.12 * PLAIN_PAGE);
const WORKER = 9_000;

/** Of a popup: its page, what runs before it is painted, what asks the worker, and the rest. Each has to be asked for. */
const MOST_FILES = 4;

/** A popup or a worker that has become too much to start quickly. */
export const findOverBudget: Gate = (extension) => {
  const worker = sizeOf(extension, importsOf(extension, workerOf(extension)));
  return [
    ...popupsOf(extension).flatMap((page) => findHeavyPage(extension, page)),
    ...(worker > WORKER ? [`The worker is ${worker} bytes, of ${WORKER}.`] : []),
  ];
};

/** All that the toolbar may open. */
function popupsOf(extension: BuiltExtension): string[] {
  const { default_popup: popup } = manifestOf(extension).action;
  return [popup, ...Theme.options.map(themedPopup).filter((page) => extension.files.has(page))];
}

function findHeavyPage(extension: BuiltExtension, page: string): string[] {
  const files = pageFiles(extension, page);
  const size = sizeOf(extension, files);
  return [
    ...(size > POPUP ? [`${page} is ${size} bytes, of ${POPUP}.`] : []),
    ...(files.length > MOST_FILES ? [`${page} is ${files.length} files, of ${MOST_FILES}.`] : []),
  ];
}

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
