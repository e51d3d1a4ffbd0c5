import { scriptsOf, textOf } from './built-extension.ts';
import type { Gate } from './gates.ts';

/** All that an extension is made of. */
const EXPECTED = [
  /^manifest\.json$/,
  /^worker\.js$/,
  /^before-paint\.js$/,
  /^assets\/[^/]+\.(js|css)$/,
  /^icons\/\d+\.png$/,
  /^_locales\/\w+\/messages\.json$/,
  /^src\/(popup|options)\/index\.html$/,
];

/** Files that no extension needs, source maps above all, and what leads to them. */
export const findStrayFiles: Gate = (extension) => [
  ...[...extension.files.keys()]
    .filter((path) => !EXPECTED.some((pattern) => pattern.test(path)))
    .map((path) => `${path} does not belong into a build.`),
  ...scriptsOf(extension)
    .filter((path) => textOf(extension, path).includes('sourceMappingURL='))
    .map((path) => `${path} names a source map.`),
];
