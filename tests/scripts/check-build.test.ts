import { expect, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { findProblems } from '../../scripts/check-build.ts';
import { reviewedManifest } from '../../scripts/reviewed-manifest.ts';

/** A build without problems. */
const RIGHT: Readonly<Record<string, string>> = {
  'manifest.json': manifestWith({ name: 'Any', version: '1' }),
  'worker.js': 'const a = () => {}; a("http://www.w3.org/2000/svg");',
  'assets/shared.js': 'export const a = () => {}; a.evaluate(); a.eval;',
  'assets/page.js': 'import "./shared.js"; import("./later.js");',
  'assets/later.js': '',
  'assets/page.css': 'a { color: red }',
  'icons/16.png': '',
  '_locales/en/messages.json': '{}',
  'src/popup/index.html': '<script src="/assets/page.js"></script>',
  'src/options/index.html': '',
};

/** Returns code with random text, which is hard to compress. */
const noise = (bytes: number): string =>
  `export const a = '${Array.from({ length: bytes }, () => Math.random().toString(36)[3] ?? '').join('')}';`;

it('a correct build has no problem', () => {
  expect(problemsOf({})).toEqual([]);
});

it.each([
  [
    'asks for another permission',
    { 'manifest.json': manifestWith({ permissions: [...manifest.permissions, 'debugger'] }) },
  ],
  ['has a content script', { 'manifest.json': manifestWith({ content_scripts: [] }) }],
  ['has a source map', { 'assets/page.js.map': '{}' }],
  ['names a source map', { 'assets/page.js': '//# sourceMappingURL=page.js.map' }],
  ['has a file of Vite itself', { '.vite/deps.js': '' }],
  ['imports within the worker', { 'worker.js': 'const a = () => import("./later.js");' }],
  ['evaluates text', { 'assets/page.js': 'const b = eval("1");' }],
  ['calls Function', { 'assets/page.js': 'Function("return 1")();' }],
  ['loads from a server', { 'src/popup/index.html': '<script src="https://intranet/a.js"></script>' }],
  ['loads from a host', { 'src/popup/index.html': '<img src="//cdn.example/a.png">' }],
  ['takes a style from a server', { 'assets/page.css': 'a { background: url(//cdn.example/a.png) }' }],
  ['opens a socket', { 'worker.js': 'new WebSocket("ws://127.0.0.1:5817")' }],
  ['loads Vite', { 'src/options/index.html': '<script src="/@vite/client"></script>' }],
  ['has a schema library in a page', { 'assets/later.js': 'a["~standard"]' }],
  ['has a large worker', { 'worker.js': noise(40_000).replace('export ', '') }],
  ['has a large popup', { 'assets/page.js': noise(200_000) }],
])('a build that %s has one problem', (_what, planted: Record<string, string>) => {
  expect(problemsOf(planted)).toHaveLength(1);
});

it.each<[what: string, planted: object, named: string]>([
  ['a page', { options_ui: { page: 'src/other/index.html' } }, 'src/other/index.html'],
  ['a site', { content_scripts: [{ matches: ['https://example.org/*'], js: [] }] }, 'https://example.org/*'],
])('a manifest with %s that is not a caller is a problem', (_what, planted, named) => {
  expect(problemsOf({ 'manifest.json': manifestWith(planted) })).toContain(
    `manifest.json names "${named}", which is not a caller. Add it to src/callers.ts.`,
  );
});

function problemsOf(planted: Readonly<Record<string, string>>): readonly string[] {
  const files = new Map(
    Object.entries({ ...RIGHT, ...planted }).map(([path, text]) => [path, Buffer.from(text)]),
  );
  return findProblems(files);
}

function manifestWith(part: object): string {
  return JSON.stringify({
    ...reviewedManifest(),
    background: { service_worker: 'worker.js' },
    ...part,
  });
}
