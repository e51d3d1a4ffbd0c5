import { expect, inject, it } from 'vitest';

import { nameHelper } from '../../scripts/browsers/running-extension.ts';
import { contentScript, originsOf } from '../../src/messaging/define/define-callers.ts';
import { identifyCaller } from '../../src/messaging/server/identify-caller.ts';
import type { Sender } from '../../src/messaging/wire/frames.ts';
import { launchBuiltExtension, writeExtension } from '../support/built-extension.ts';
import { servePage } from '../support/web-page.ts';

const HOSTS = [
  'web.test',
  'web.test.',
  'sub.web.test',
  'other.test',
  'xn--bcher-kva.test',
  'localhost',
  '127.0.0.1',
] as const;

type Hosts = 'refused' | readonly (typeof HOSTS)[number][];

/** The hosts on which each pattern lets a script call, and those on which each browser runs it. The table may be narrower. */
const PATTERNS: readonly (readonly [
  pattern: string,
  callers: Hosts,
  chromium?: Hosts | undefined,
  firefox?: Hosts,
])[] = [
  ['<all_urls>', HOSTS],
  ['*://*/*', HOSTS],
  ['http://*/*', HOSTS],
  ['https://*/*', []],
  ['http://web.test/*', ['web.test', 'web.test.'], undefined, ['web.test']],
  ['http://*.web.test/*', ['web.test', 'web.test.', 'sub.web.test'], undefined, ['web.test', 'sub.web.test']],
  ['http://xn--bcher-kva.test/*', ['xn--bcher-kva.test']],
  ['http://localhost/*', ['localhost']],
  ['http://127.0.0.1/*', ['127.0.0.1']],
  ['http://*.127.0.0.1/*', ['127.0.0.1']],
  ['http://web.test:PORT/*', ['web.test', 'web.test.'], undefined, []],
  ['http://web.test:*/*', ['web.test', 'web.test.'], undefined, []],
  ['*://web.test:PORT/*', ['web.test', 'web.test.'], 'refused', []],
  ['http://web.test:1/*', []],
  // The path of a pattern is not compared.
  ['http://web.test/elsewhere', ['web.test', 'web.test.'], [], []],
  ['http://WEB.test/*', 'refused', ['web.test', 'web.test.'], []],
  ['http://web.test./*', 'refused', ['web.test', 'web.test.'], ['web.test.']],
  ['http://bücher.test/*', 'refused', ['xn--bcher-kva.test'], []],
  ['http://127.1/*', 'refused', ['127.0.0.1'], []],
  ['http://*.0.0.1/*', 'refused', [], ['127.0.0.1']],
  ['http://a b/*', 'refused', [], []],
  ['http://a"b/*', 'refused', [], []],
  ['http://[::1]/*', []],
  ['http://web..test/*', 'refused', [], []],
  ['file:///*', 'refused', [], []],
  ['http://w*b.test/*', 'refused', 'refused', []],
  ['http://web.test:99999/*', 'refused', 'refused', []],
  ['HTTP://web.test/*', 'refused', 'refused', 'refused'],
  ['http://web.test', 'refused', 'refused', 'refused'],
];

it('compares match patterns as the browser does, or refuses them', async () => {
  const { port } = new URL(await servePage());
  const patterns = PATTERNS.map(([pattern]) => pattern.replace('PORT', port));
  const extension = await launchBuiltExtension(await writePatternExtension(patterns));
  const options = await extension.open('options.html');
  // The background reads patterns with the `URL` of the browser, whose hosts are not always those of Node.
  expect(await options.evaluate(readInBrowser, patterns)).toEqual(
    patterns.map((pattern) => read(pattern, originsOf)),
  );
  const refused = await options.evaluate(registerScripts, patterns);
  const senders = new Map<string, Sender>();
  const scripts = new Map<string, readonly string[]>();
  for (const host of HOSTS) {
    const page = await extension.open(`http://${host}:${port}/`);
    const sender = await page.waitFor(() => document.documentElement.dataset['sender']);
    senders.set(host, JSON.parse(sender) as Sender);
    scripts.set(host, await page.evaluate(() => Object.keys(document.documentElement.dataset)));
  }

  const found = patterns.map((pattern, index) => {
    const run = HOSTS.filter((host) => scripts.get(host)?.includes(`script${index}`));
    return [pattern, callersOf(pattern, senders), refused.includes(index) ? 'refused' : run];
  });

  const browser = inject('browserName') === 'firefox' ? 3 : 2;
  expect(found).toEqual(PATTERNS.map((row, index) => [patterns[index], row[1], row[browser] ?? row[1]]));
});

/** Writes an extension with a script for each pattern, and one for all pages that reports its sender. */
function writePatternExtension(patterns: readonly string[]): Promise<string> {
  const worker = 'chrome.runtime.onMessage.addListener((message, sender, respond) => respond(sender));';
  const report =
    'async () => (document.documentElement.dataset.sender = JSON.stringify(await chrome.runtime.sendMessage("")))';
  const scripts = patterns.map((_, index) => [
    `script${index}.js`,
    `document.documentElement.dataset.script${index} = '';`,
  ]);
  return writeExtension(
    {
      name: 'Match patterns',
      permissions: ['scripting'],
      host_permissions: ['<all_urls>'],
      background:
        inject('browserName') === 'firefox' ? { scripts: ['worker.js'] } : { service_worker: 'worker.js' },
      action: {},
      content_scripts: [{ matches: ['<all_urls>'], js: ['report.js'] }],
      browser_specific_settings: { gecko: { id: 'patterns@extension.invalid' } },
    },
    {
      ...(Object.fromEntries(scripts) as Record<string, string>),
      'worker.js': worker,
      'report.js': `(${report})();`,
      'options.html': '<!doctype html><title>Match patterns</title><script src="read.js"></script>',
      'read.js': `${nameHelper}; const readPattern = (pattern) => (${String(read)})(pattern, ${String(originsOf)});`,
    },
  );
}

/** Returns the expression for a pattern, or why there is none. */
function read(pattern: string, parse: typeof originsOf): string {
  try {
    return String(parse(pattern));
  } catch (error) {
    return String(error);
  }
}

/** `read` over the `URL` of the browser. The page's script defines it. */
declare const readPattern: (pattern: string) => string;

/** Runs in a page of that extension. */
function readInBrowser(patterns: readonly string[]): readonly string[] {
  return patterns.map((pattern) => readPattern(pattern));
}

/** Runs in a page of that extension. Returns the indices of the patterns that the browser refuses. */
async function registerScripts(patterns: readonly string[]): Promise<readonly number[]> {
  const refused: number[] = [];
  for (const [index, pattern] of patterns.entries()) {
    const script = {
      id: String(index),
      matches: [pattern],
      js: [`script${index}.js`],
      runAt: 'document_start',
    };
    try {
      await (chrome as unknown as ScriptingApi).scripting.registerContentScripts([script]);
    } catch {
      refused.push(index);
    }
  }
  return refused;
}

interface ScriptingApi {
  readonly scripting: { registerContentScripts(scripts: readonly object[]): Promise<void> };
}

/** Returns the hosts whose scripts may call if a caller has this pattern, or `refused` if it cannot be declared. */
function callersOf(pattern: string, senders: ReadonlyMap<string, Sender>): Hosts {
  try {
    const callers = { content: contentScript({ matches: [pattern] }) };
    return HOSTS.filter((host) => {
      const sender = senders.get(host);
      return 'info' in identifyCaller(callers, sender, { id: sender?.id ?? '', origin: 'extension://own' });
    });
  } catch {
    return 'refused';
  }
}
