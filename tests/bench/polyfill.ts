import type { Plugin } from 'vite';

/** Takes webextension-polyfill out of a build: the browser's own API stands in its place. */
export const withoutPolyfill: Plugin = {
  name: 'without-polyfill',
  enforce: 'pre',
  resolveId: (id) => (id === 'webextension-polyfill' ? '\0polyfill' : undefined),
  load: (id) => (id === '\0polyfill' ? 'export default globalThis.browser ?? globalThis.chrome;' : undefined),
};

/** Loads webextension-polyfill in a worker that does without it. */
export const withPolyfill: Plugin = {
  name: 'with-polyfill',
  transform: (code, id) =>
    id.endsWith('/worker.ts') ? `import 'webextension-polyfill';\n${code}` : undefined,
};
