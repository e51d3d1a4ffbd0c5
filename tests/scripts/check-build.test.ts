import { expect, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import { builtManifest } from '../../scripts/built-manifest.ts';
import { findProblems, isCaller } from '../../scripts/check-build.ts';

const { content_scripts: contentScripts = [] } = builtManifest('chromium') as {
  readonly content_scripts?: readonly { readonly js: readonly string[] }[];
};

/** Returns the part of a PNG that has its size. */
function png(width: number, height = width): string {
  const bytes = Buffer.from(`\x89PNG\r\n\x1A\n${' '.repeat(16)}`, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString('latin1');
}

const EN = 'src/static/_locales/en/messages.json';
const TEXTS = {
  extension_name: { message: 'Kiosk' },
  extension_description: { message: 'Sells.' },
};
/** The other messages that manifest.json names. */
const OTHER_TEXTS = Object.fromEntries(
  Array.from(JSON.stringify(manifest).matchAll(/__MSG_(?!extension_)(\w+)__/gu), ([, name = '']) => [
    name,
    { message: name },
  ]),
);
/** Returns the files of a locale, each message in a line. */
const locale = (name: string, change: object) => ({
  [`_locales/${name}/messages.json`]: JSON.stringify({ ...TEXTS, ...change, ...OTHER_TEXTS }, null, 1),
});

/** A build without problems. It has the content scripts of manifest.json, and uses its permissions. */
const RIGHT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(contentScripts.flatMap(({ js }) => js.map((path) => [path, '']))),
  'manifest.json': manifestWith({}),
  'worker.js': 'const a = () => {}; a("http://www.w3.org/2000/svg"); fetch("https://example.org/a");',
  'assets/shared.js': `export const a = () => {}; a.evaluate(); a.eval; ${manifest.permissions.map((name) => `a.${name};`).join(' ')}`,
  'assets/page.js': 'import "./shared.js"; import("./later.js");',
  'assets/later.js': '',
  'assets/page.css': 'a { background: url(./a.svg) }',
  'assets/fake.png': '<svg/>',
  'assets/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  ...Object.fromEntries(Object.entries(manifest.icons).map(([size, path]) => [path, png(Number(size))])),
  ...locale('en', {}),
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
  [
    'has an image in a style sheet that the policy forbids',
    { 'assets/page.css': 'a { background: url("data:image/svg+xml,%3csvg/%3e") }' },
    'page.css has a `data:` URL, which the `img-src` of the pages forbids. Use a file,',
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
  ['https://example.org/*', 'https://example.org/*', true],
  ['https://example.org/a*', 'https://example.org/*', true],
  ['https://example.org/*', '*://example.org/*', true],
  ['https://*/*', '*://*/*', true],
  ['http://*/*', '<all_urls>', true],
  ['https://example.org/*', 'https://*/*', true],
  ['https://example.org/*', 'http://*/*', false],
  ['*://example.org/*', 'https://example.org/*', false],
  ['https://www.example.org/*', '*://*.example.org/*', true],
  ['*://*.b.example.org/*', '*://*.example.org/*', true],
  ['https://*.example.org/*', 'https://example.org/*', false],
  ['<all_urls>', '*://*/*', true],
  ['http://localhost/*', 'http://localhost:5173/*', true],
  ['http://localhost/*', '*://localhost:*/*', true],
  ['http://[::1]/*', 'http://[::1]:5173/*', true],
  ['http://*.example.org/*', 'http://*.example.org:8080/*', true],
  ['http://localhost/*', 'http://127.0.0.1:5173/*', false],
  ['http://*/*', 'http://localhost:5173/*', false],
])('the site %s may call if the callers have %s: %s', (site, caller, isKnown) => {
  expect(isCaller(site, [caller])).toBe(isKnown);
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
    'a port in a content script',
    { content_scripts: [{ matches: ['http://localhost:8765/*'] }] },
    'Remove the port in manifest.json, and keep it in src/callers.ts.',
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

it.each<readonly [planted: object, problem: RegExp]>([
  ...['1.0.0-beta.1', '1.0.0.0.1', '1.65536', '01.2', '0.0.0', 'v1', '1.', ''].map(
    (version) => [{ version }, /^manifest\.json:5: .* is not a version\..* 65535 /u] as const,
  ),
  [{ name: 'K'.repeat(46) }, /^manifest\.json:3: The name .* has 46 characters\. .* allows 1 to 45\./u],
  [{ description: 'K'.repeat(133) }, /^manifest\.json:4: The description .* 133 characters\. .* to 132\./u],
  [
    { update_url: 'https://example.org' },
    /^manifest\.json:\d+: Extensions in a store must not have "update_url"/u,
  ],
  [{ default_locale: 'de' }, /^manifest\.json:6: "default_locale" must name a folder/u],
  [{ default_locale: undefined }, /^manifest\.json:6: "default_locale" must name a folder/u],
  [{ action: { default_title: '__MSG_other__' } }, /messages\.json has no message "other"\. Add it\.$/u],
  [
    { icons: { 128: 'icons/none.png' } },
    /^manifest\.json:\d+: The icon icons\/none\.png is not in the build/u,
  ],
  [{ icons: { 128: 'icons/16.png' } }, /^manifest\.json:\d+: .* has 16 × 16 pixels instead of 128 × 128\.$/u],
  [{ icons: { 128: 'assets/a.svg' } }, /Browsers do not show the icon assets\/a\.svg/u],
  [{ icons: { 128: 'assets/fake.png' } }, /assets\/fake\.png is not a PNG/u],
  [{ icons: { 16: 'icons/16.png' } }, /^manifest\.json:\d+: Chrome's store needs an icon of 128 × 128/u],
  [{ permissions: ['topSites'] }, /^manifest\.json:\d+: No script uses the permission "topSites"/u],
  [
    { commands: Object.fromEntries('abcde'.split('').map((key) => [key, { suggested_key: 'F1' }])) },
    /There are 5 suggested keys\. Browsers allow at most 4\./u,
  ],
  [{ version: 1 }, /^manifest\.json:5: /u],
])('a manifest with %j, which a store or browser refuses, is refused with its line', (planted, problem) => {
  expect(problemsOf({ 'manifest.json': manifestWith(planted) })).toContainEqual(
    expect.stringMatching(problem),
  );
});

it.each([
  [{ name: 'K'.repeat(46) }, /name .* has 46 characters\. The store of firefox allows 2 to 45\./u],
  [{ description: 'K'.repeat(251) }, /description .* has 251 characters\. .* allows 0 to 250\./u],
  [{ browser_specific_settings: { gecko: { id: 'kiosk' } } }, /"kiosk" is not an id for Firefox/u],
  [
    { browser_specific_settings: { gecko: { id: 'a@b', update_url: 'https://a.test' } } },
    /Extensions in a store must not have "update_url"/u,
  ],
])('a manifest with %j, which AMO refuses, is refused', (planted, problem) => {
  expect(problemsOf({ 'manifest.json': manifestWith(planted) }, 'firefox')).toContainEqual(
    expect.stringMatching(problem),
  );
});

const DE = EN.replace('/en/', '/de/');

it.each<[what: string, planted: Record<string, string>, problem: string]>([
  [
    'a long description in another language',
    locale('de', { extension_description: { message: 'K'.repeat(180) } }),
    `${DE}:5: The description of the extension has 180 characters. The store of chromium allows 0 to 132.`,
  ],
  [
    'a long name in another language',
    locale('de', { extension_name: { message: 'K'.repeat(80) } }),
    `${DE}:2: The name of the extension has 80 characters.`,
  ],
  ['a comma too much', { '_locales/de/messages.json': '{\n"a": { "message": "" },\n}' }, `${DE}:3: `],
  ['half a file', { '_locales/de/messages.json': '{\n' }, `${DE}:2: `],
  ['a list', { '_locales/de/messages.json': '[]' }, `${DE}:1: Type an object with messages.`],
  ['a message without text', locale('de', { a: {} }), `${DE}:8: "a" needs a text as "message"`],
  [
    'a placeholder without content',
    locale('de', { a: { message: '$B$', placeholders: { b: {} } } }),
    `${DE}:8: "a" needs a text`,
  ],
  ['an unknown placeholder', locale('de', { a: { message: '$B$' } }), `${DE}:8: "a" uses $B$, which is not`],
  ['a name with a space', locale('de', { 'a b': { message: '' } }), `${DE}:8: "a b" is not a name.`],
  ['a reserved name', locale('de', { '@@ui': { message: '' } }), `${DE}:8: "@@ui" is not a name.`],
  [
    'a name twice',
    locale('de', { Extension_Name: { message: '' } }),
    `${DE}:8: The message "Extension_Name"`,
  ],
  ['a hyphen', locale('pt-BR', {}), 'src/static/_locales/pt-BR: This is not a locale. Name it like'],
  [
    'another file',
    { '_locales/de/texts.json': '{}' },
    'src/static/_locales/de: This folder has no messages.json.',
  ],
])('a locale with %s is refused with its file and line', (_what, planted, problem) => {
  expect(problemsOf(planted)).toEqual([expect.stringContaining(problem)]);
});

it.each([
  ['reserved name', { '_tools/a.txt': '' }, '_tools/a.txt: Names that begin with "_" are reserved'],
  [
    'size',
    { 'assets/a.json': ' '.repeat(5_242_881) },
    'assets/a.json: The file has 5242881 bytes. AMO reads',
  ],
])('a file with a %s that is not allowed is refused', (_what, planted: Record<string, string>, problem) => {
  expect(problemsOf(planted)).toEqual([expect.stringContaining(problem)]);
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

function problemsOf(
  planted: Readonly<Record<string, string>>,
  browser: 'chromium' | 'firefox' = 'chromium',
): readonly string[] {
  const files = new Map(
    Object.entries({ ...RIGHT, ...planted }).map(([path, text]) => [
      path,
      Buffer.from(text, text.includes('PNG') ? 'latin1' : 'utf8'),
    ]),
  );
  return findProblems(files, browser);
}

function manifestWith(part: object): string {
  return JSON.stringify({ ...builtManifest('chromium'), ...part });
}
