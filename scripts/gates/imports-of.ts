import { posix } from 'node:path';
import { parseSync } from 'vite';

import { textOf } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';

/** Paths of a script and of all that it imports, directly or not, as far as they are in the build. */
export function importsOf(extension: BuiltExtension, entry: string): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path) || !extension.files.has(path)) return;
    found.add(path);
    const { module } = parseSync(path, textOf(extension, path));
    for (const { moduleRequest } of module.staticImports) {
      visit(posix.join(posix.dirname(path), moduleRequest.value));
    }
  };
  visit(entry);
  return [...found];
}
