import { expect, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { builtManifest } from '../../scripts/built-manifest.ts';
import { findProblems } from '../../scripts/check-build.ts';

const { content_scripts: contentScripts = [] } = builtManifest('chromium') as {
  readonly content_scripts?: readonly { readonly js: readonly string[] }[];
};

/** A build without problems. It has the content scripts of manifest.json. */
const RIGHT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(contentScripts.flatMap(({ js }) => js.map((path) => [path, '']))),
  'manifest.json': manifestWith({}),
  'worker.js': 'const a = () => {}; a("http://www.w3.org/2000/svg"); fetch("https://example.org/a");',
  'assets/shared.js': 'export const a = () => {}; a.evaluate(); a.eval;',
  'assets/page.js': 'import "./shared.js"; import("./later.js");',
  'assets/later.js': '',
  'assets/page.css': 'a { background: url(./a.svg) }',
  'assets/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'icons/16.png': '',
  '_locales/en/messages.json': '{}',
  'src/popup/index.html': '<script src="/assets/page.js"></script><a href="https://example.org">a</a>',
  'src/options/index.html': '',
};

/** Returns code with random text, which is hard to compress. */
const noise = (kilobytes: number): string =>
  `const a = '${Array.from({ length: kilobytes * 1_500 }, () => Math.random().toString(36)[3] ?? '').join('')}';`;

it('a correct build has no problem', () => {
  expect(problemsOf({})).toEqual([]);
});

it.each([
  ['permissions', [...manifest.permissions, 'debugger']],
  ['host_permissions', ['https://*/*']],
  ['background', { service_worker: 'loader.js', type: 'module' }],
])('a build whose manifest states other "%s" than manifest.json is refused', (key, value) => {
  expect(problemsOf({ 'manifest.json': manifestWith({ [key]: value }) })).toContainEqual(
    expect.stringMatching(
      `^The build states "${key}" as .*Write it into manifest.json, or remove the plugin`,
    ),
  );
});

it.each([
  ['has a source map', { 'assets/page.js.map': '{}' }, 'page.js.map does not belong in a build. Remove it'],
  ['has a source file', { 'src/popup/main.tsx': '' }, 'main.tsx does not belong in a build. Remove it'],
  ['has a file of a tool', { '.vite/deps.js': '' }, '.vite/deps.js does not belong in a build. Remove it'],
  [
    'has the whole environment',
    { 'assets/page.js': 'const env = {BASE_URL:"/",MODE:"chromium"};' },
    'has all of `import.meta.env`, which can have a secret. Read one member',
  ],
  ['names a source map', { 'assets/page.js': '//# sourceMappingURL=a.map' }, 'names a source map. Turn off'],
  [
    'imports within the worker',
    { 'worker.js': 'import("./later.js");' },
    'worker.js calls import(), which fails in a worker. Import the module at the top',
  ],
  [
    'evaluates text',
    { 'assets/page.js': 'eval("1");' },
    'runs text as code, which every store rejects. Call',
  ],
  ['calls Function', { 'worker.js': 'Function("return 1")();' }, 'runs text as code'],
  ['creates a function', { 'worker.js': 'new Function' }, 'runs text as code'],
  [
    'loads a script from a server',
    { 'src/popup/index.html': '<script async src="https://intranet/a.js"></script>' },
    'index.html loads code from another machine, which every store rejects. Ship it',
  ],
  [
    'loads a script from a host',
    { 'src/popup/index.html': '<script src=//a.test/a></script>' },
    'loads code',
  ],
  [
    'imports from a server',
    { 'assets/page.js': 'import{a}from"https://a.test/a.js";' },
    'page.js loads code',
  ],
  ['imports from a server later', { 'assets/page.js': 'import(`//a.test/a.js`);' }, 'page.js loads code'],
  [
    'loads a worker from a server',
    { 'worker.js': 'importScripts("http://a.test/a")' },
    'worker.js loads code',
  ],
  [
    'loads Vite',
    { 'src/options/index.html': '<script src="/@vite/client"></script>' },
    'is from a development build. Run `npm run build`',
  ],
  [
    'has inline source maps',
    { 'worker.js': '//# sourceMappingURL=data:,' },
    'worker.js is from a development build',
  ],
  [
    'has a schema in a page',
    { 'assets/later.js': 'a["~standard"]' },
    'later.js brings a schema into a page. Import only types',
  ],
  ['has a large worker', { 'worker.js': noise(80) }, 'the worker is too large: '],
  ['has a large page', { 'assets/page.js': noise(220) }, 'src/popup/index.html is too large: '],
])('a build that %s is refused', (_what, planted: Record<string, string>, problem) => {
  expect(problemsOf(planted)).toEqual([expect.stringContaining(problem)]);
});

it.each([
  [
    'a page that is not a caller',
    { options_ui: { page: 'src/other/index.html' } },
    'names "src/other/index.html", which is not a caller. Add it to src/callers.ts.',
  ],
  [
    'a site that is not a caller',
    { content_scripts: [{ matches: ['https://example.org/*'] }] },
    'names "https://example.org/*", which is not a caller. Add it to src/callers.ts.',
  ],
  [
    'a port',
    { host_permissions: ['http://localhost:8765/*'] },
    'has "http://localhost:8765/*", and Firefox ignores a pattern with a port',
  ],
  [
    'a style sheet that is not in the build',
    { content_scripts: [{ matches: ['file:///*'], css: ['reader.css'] }] },
    'names the style sheet reader.css, which is not in the build. Move it to src/static/reader.css.',
  ],
  [
    'a content script that was not built',
    { content_scripts: [{ matches: [], js: ['src/content/main.js'] }] },
    'names the content script src/content/main.js, which is not built. Move its source to src/features/<name>/content.ts.',
  ],
  ['split private windows', { incognito: 'split' }, 'sets "incognito" to "split"'],
])('a manifest with %s is refused', (_what, planted, problem) => {
  expect(problemsOf({ 'manifest.json': manifestWith(planted) })).toContainEqual(
    expect.stringContaining(problem),
  );
});

it('the manifest of a build differs from manifest.json only in its scripts', () => {
  const source = {
    ...manifest,
    content_scripts: [{ matches: ['<all_urls>'], css: ['a.css'], js: ['src/features/a/content.ts'] }],
  };
  const scripts = [{ matches: ['<all_urls>'], css: ['a.css'], js: ['src/features/a/content.js'] }];

  for (const [browser, background] of [
    ['chromium', { service_worker: 'worker.js' }],
    ['firefox', { scripts: ['worker.js'] }],
  ] as const) {
    expect(builtManifest(browser, source)).toEqual({ ...source, background, content_scripts: scripts });
  }
});

function problemsOf(planted: Readonly<Record<string, string>>): readonly string[] {
  const files = new Map(
    Object.entries({ ...RIGHT, ...planted }).map(([path, text]) => [path, Buffer.from(text)]),
  );
  return findProblems(files, 'chromium');
}

function manifestWith(part: object): string {
  return JSON.stringify({ ...builtManifest('chromium'), ...part });
}
