import { posix } from 'node:path';
import { parseSync } from 'vite';

import { textOf } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';

/** Paths of a script and of all that it imports, directly or not, at once or later, as far as they are in the build. */
export function importsOf(extension: BuiltExtension, entry: string): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path) || !extension.files.has(path)) return;
    found.add(path);
    const source = textOf(extension, path);
    const { staticImports, dynamicImports } = parseSync(path, source).module;
    const later = dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1));
    for (const specifier of [...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...later]) {
      visit(posix.join(posix.dirname(path), specifier));
    }
  };
  visit(entry);
  return [...found];
}
