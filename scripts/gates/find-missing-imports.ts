import { posix } from 'node:path';
import { parseSync } from 'vite';

import { scriptsOf, textOf } from './built-extension.ts';
import type { Gate } from './gates.ts';

/** Scripts that a script imports and that are not in the build: what cannot be read cannot be judged. */
export const findMissingImports: Gate = (extension) =>
  scriptsOf(extension).flatMap((path) =>
    parseSync(path, textOf(extension, path))
      .module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
      .filter((specifier) => !extension.files.has(posix.join(posix.dirname(path), specifier)))
      .map((specifier) => `${path} imports ${specifier}, which is not in the build.`),
  );
