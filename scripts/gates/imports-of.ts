import { posix } from 'node:path';
import { parseSync } from 'vite';

import { textOf } from './built-extension.ts';
import type { BuiltExtension } from './built-extension.ts';

/** Paths of a script and of all that it imports, directly or not. Throws where one is not in the build: what cannot be read cannot be judged. */
export function importsOf(extension: BuiltExtension, entry: string): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    if (!extension.files.has(path)) throw new Error(`${path} is imported and not in the build.`);
    const { module } = parseSync(path, textOf(extension, path));
    for (const { moduleRequest } of module.staticImports) {
      visit(posix.join(posix.dirname(path), moduleRequest.value));
    }
  };
  visit(entry);
  return [...found];
}
