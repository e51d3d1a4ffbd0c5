import { textOf } from './built-extension.ts';
import type { Gate } from './gates.ts';

/** What only the dev server and the watched builds of `npm start` write. */
const MARKS = [/\/@(?:vite|crx)\//, /CRXJS DEV MODE/, /sourceMappingURL=data:/];

/** A development build: it loads code from a server, or carries its own source. */
export const findDevelopment: Gate = (extension) => {
  const marked = [...extension.files.keys()]
    .filter((path) => /\.(js|html)$/.test(path))
    .filter((path) => MARKS.some((mark) => mark.test(textOf(extension, path))));
  return marked.length === 0
    ? []
    : [`It is a development build, as ${marked[0]} shows. \`npm run build\` makes the one to ship.`];
};
