import { posix } from 'node:path';
import { gzipSync } from 'node:zlib';

import { textOf } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';
import type { Gate } from './gates.ts';
import { importsOf } from './imports-of.ts';
import { manifestOf, workerOf } from './manifest-of.ts';

/**
 * Most bytes, each file gzipped by itself, of everything that the popup or the worker loads, at first or later. They are
 * ceilings with room for features: at the time of writing the popup takes 83 kB and the worker 11.
 */
const POPUP = 110_000;
const WORKER = 20_000;

/** A popup or a worker that has become too large to start quickly. */
export const findOverBudget: Gate = (extension) => {
  const { default_popup: popup } = manifestOf(extension).action;
  return [
    ...findOver(extension, 'The popup', pageFiles(extension, popup.replace(/#.*/, '')), POPUP),
    ...findOver(extension, 'The worker', importsOf(extension, workerOf(extension)), WORKER),
  ];
};

/** Says of what it consists, largest first: what grew is found by comparing that with a build of before. */
function findOver(extension: BuiltExtension, what: string, paths: readonly string[], most: number): string[] {
  const sizes = paths.map((path) => [path, sizeOf(extension, path)] as const);
  const sum = sizes.reduce((total, [, size]) => total + size, 0);
  if (sum <= most) return [];

  const parts = sizes.toSorted(([, a], [, b]) => b - a).map(([path, size]) => `${path} ${size}`);
  return [`${what} is ${sum} bytes when gzipped, of ${most} at most: ${parts.join(', ')}.`];
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

function sizeOf(extension: BuiltExtension, path: string): number {
  return gzipSync(textOf(extension, path), { level: 9 }).length;
}
