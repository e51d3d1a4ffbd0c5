import { parseSync } from 'vite';

import { textOf } from './built-extension.ts';
import type { Gate } from './gates.ts';
import { importsOf } from './imports-of.ts';
import { workerOf } from './manifest-of.ts';

/** `import()` in the worker: a service worker may not do that, and finds out when it gets there. */
export const findWorkerImports: Gate = (extension) =>
  importsOf(extension, workerOf(extension))
    .filter((path) => parseSync(path, textOf(extension, path)).module.dynamicImports.length > 0)
    .map((path) => `${path} is part of the worker and calls import().`);
