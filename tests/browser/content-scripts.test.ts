import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import type { CallError } from '../../src/messaging/errors.ts';
import { contentScript, identifyCaller, type Sender } from '../../src/messaging/callers.ts';
import {
  buildTestExtension,
  copyBuiltExtension,
  launchBuiltExtension,
  writeExtension,
} from '../support/built-extension.ts';
import { askEverything, everyCall, type Outcomes } from '../support/every-call.ts';
import { servePage } from '../support/web-page.ts';

const everywhere = (outcome: string): Outcomes =>
  Object.fromEntries(everyCall.map(({ name }) => [name, outcome]));

it('answers a content script only on its sites, and only procedures that list it', async () => {
  const { extension, page, address } = await launchContent();
  const elsewhere = await openReady(extension, address.replace('web.test', 'other.test'));

  const onSite = await act(page, 'ask everything');
  const echo = await act(page, 'ask with the client');
  const offSite = await act(elsewhere, 'ask everything');
  const noEcho = await act(elsewhere, 'ask with the client');
  const options = await extension.open('options.html');
  const asOptions = await options.evaluate(askEverything, everyCall, '');

  // On such a site, browsers leave out a part of their APIs.
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  expect(onSite).toEqual({
    ...everywhere('FORBIDDEN'),
    'counter.watch': 'answered',
    'text.echo': 'answered',
  });
  expect(echo).toBe('Hello from content');
  expect(offSite).toEqual(everywhere('refused'));
  expect(noEcho).toBe('FORBIDDEN');
  expect(asOptions).toEqual(everywhere('answered'));
});

it('gives handlers and observers each caller as the browser states it', async () => {
  const { extension, page, address } = await launchContent();
  await addFrame(page, 'frame', { src: `${address}frame` });
  const options = await extension.open('options.html#place');
  const popup = await extension.openPopup();
  const site = new URL(address).origin;
  const [id, documentId] = [expect.any(Number), expect.any(String)];

  const callers = {
    popup: await popup.evaluate(() => own.query('caller.read')),
    options: await options.evaluate(() => own.query('caller.read')),
    script: await act(page, 'ask who calls'),
    framed: await act(page, 'ask who calls', 'frame'),
    // A page can change its address without loading the script again.
    moved: await page
      .evaluate(() => history.pushState(null, '', '/moved'))
      .then(() => act(page, 'ask who calls')),
  };

  const inTab = { tabId: id, frameId: 0, documentId, isPrivate: false };
  const expected = {
    popup: {
      name: 'popup',
      origin: extension.origin,
      url: `${extension.origin}/popup.html`,
      ...(inject('browserName') === 'firefox' && { documentId }),
    },
    options: {
      name: 'options',
      origin: extension.origin,
      url: `${extension.origin}/options.html#place`,
      ...inTab,
    },
    script: { name: 'content', origin: site, url: address, ...inTab },
    framed: { name: 'content', origin: site, url: `${address}frame`, ...inTab, frameId: id },
    moved: { name: 'content', origin: site, url: address, ...inTab },
  };
  expect(callers).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, caller]) => [name, [caller, caller]])),
  );
});

it('refuses frames without a site and pages without a name at once, and logs each of them once', async () => {
  const { extension, page, address } = await launchContent({
    'other.html': '<!doctype html><script type="module" src="page.js"></script>',
  });
  const frames = {
    blank: {},
    srcdoc: { srcdoc: '<p>A document in an attribute</p>' },
    sandbox: { src: `${address}frame`, sandbox: 'allow-scripts' },
    policy: { src: `${address}sandboxed` },
  };
  for (const [name, attributes] of Object.entries(frames)) await addFrame(page, name, attributes);
  const other = await extension.open('other.html');

  const outcomes: unknown[] = [];
  for (const name of Object.keys(frames)) {
    outcomes.push(await act(page, 'ask and read the state', name));
    await act(page, 'ask with the client', name);
  }
  outcomes.push(
    await other.evaluate(async () => {
      const asked = own.query('text.echo', 'Hello', { timeout: 600_000 });
      const { code, delivery } = await asked.then(
        () => ({ code: 'answered', delivery: undefined }),
        (error: unknown) => error as CallError,
      );
      return { code, delivery, state: own.connection.state() };
    }),
  );

  const state = { status: 'failed', reason: 'refused' };
  expect(outcomes).toEqual(outcomes.map(() => ({ code: 'FORBIDDEN', delivery: 'handled', state })));
  const options = await extension.open('options.html');
  const { origin } = new URL(address);
  const senders = [
    ['about:blank', origin],
    ['about:srcdoc', origin],
    [`${address}frame`, 'null'],
    [`${address}sandboxed`, 'null'],
    [`${extension.origin}/other.html`, extension.origin],
  ] as const;
  expect(await options.evaluate(() => own.query('log.read'))).toEqual(
    senders.map(
      ([url, from]) => `Error: A caller was refused: ${url} (origin ${from}) is not in the table of callers.`,
    ),
  );
});

it('resumes the subscriptions of a content script when the background wakes', async () => {
  const { extension, page } = await launchContent();
  await shows(page, '0');
  await extension.stopWorker();
  await statusIs(page, 'asleep');

  await addOne(extension);

  expect(await shows(page, '1')).toBe(true);
});

it('resumes the subscriptions of a content script even if a page of the extension keeps its port open', async () => {
  const { extension, page } = await launchContent();
  const listener = await extension.open('options.html');
  // In Chromium, this listener keeps the ports of content scripts open after the death of the worker.
  await listener.evaluate(() => chrome.runtime.onConnect.addListener(() => {}));
  await page.reload();
  await shows(page, '0');
  await extension.stopWorker();

  await addOne(extension);

  expect(await shows(page, '1')).toBe(true);
});

it('resumes subscriptions in private windows and container tabs when the background wakes', async () => {
  const { extension, address } = await launchContent();
  await extension.allowPrivateWindows();
  const options = await extension.open('options.html');
  await options.evaluate(() => localStorage.setItem('mark', 'set'));
  const inPrivate = `${address}private`;
  const pages: View[] = [];
  // In Chromium, pages of the extension open in a normal window, and there are no containers.
  if (inject('browserName') === 'firefox') {
    const tab = { url: `${extension.origin}/options.html?container`, cookieStoreId: 'firefox-container-1' };
    await options.evaluate((created) => chrome.tabs.create(created), tab);
    const url = `${extension.origin}/options.html?private`;
    await options.evaluate((created) => chrome.windows.create(created), { incognito: true, url });
    pages.push(await extension.findView(tab.url), await extension.findView(url));
  }
  await options.evaluate((url) => chrome.windows.create({ incognito: true, url }), inPrivate);
  const script = await extension.findView(inPrivate);
  await shows(script, '0');
  for (const page of pages) await page.waitFor(() => document.title === '0');
  await extension.stopWorker();
  for (const page of pages) await page.waitFor(() => own.connection.state().status === 'asleep');
  await statusIs(script, 'asleep');

  await addOne(extension);

  for (const page of pages) {
    await page.waitFor(() => document.title === '1');
    expect(await page.evaluate(() => localStorage.getItem('mark'))).toBeNull();
  }
  expect(await shows(script, '1')).toBe(true);
  expect(await act(script, 'ask who calls')).toMatchObject([{ isPrivate: true }, { isPrivate: true }]);
});

it('serves a content script again when its page is back from the back/forward cache', async () => {
  const { extension, page, address } = await launchContent();
  await shows(page, '0');
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => (document.body.dataset['persisted'] = String(persisted)));
  });

  await page.evaluate((next) => void (location.href = next), `${address}next`);
  await page.waitFor(() => location.pathname === '/next');
  await addOne(extension);
  await page.evaluate(() => history.back());
  await page.waitFor(() => location.pathname === '/' && document.body.dataset['persisted'] === 'true');

  expect(await shows(page, '1')).toBe(true);
  expect(await act(page, 'ask with the client')).toBe('Hello from content');
});

it('shows the output of a content script whatever the styles of the page are', async () => {
  const { page } = await launchContent();
  const before = await act(page, 'read the style');

  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent =
      'html { color: red; font-size: 40px } count-output, * { all: unset !important; display: none !important }';
    // The root stays visible, because its whole page is hidden with it.
    document.documentElement.style.setProperty('display', 'block', 'important');
    document.head.append(style);
  });

  expect(await act(page, 'read the style')).toEqual(before);
  expect(before).toMatchObject({ isVisible: true });
  expect(await page.evaluate(() => document.querySelector('count-output')?.shadowRoot)).toBeNull();
});

it('replaces an old content script and its output after an update', async () => {
  const { extension, page, folder } = await launchContent();
  await addOne(extension);
  await shows(page, '1');

  await extension.installExtension(folder);
  await addOne(extension);

  expect(await shows(page, '2')).toBe(true);
  expect(await page.evaluate(() => document.querySelectorAll('count-output').length)).toBe(1);
});

// Firefox ends the script without notice, and its output stays until the page is loaded again.
it.skipIf(inject('browserName') === 'firefox').each([
  ['disable', 'awake'],
  ['remove', 'awake'],
  ['remove', 'asleep'],
] as const)(
  'removes the output of a content script that makes no calls: %s while the background is %s',
  async (end, status) => {
    const { extension, page } = await launchContent();
    await shows(page, '0');
    if (status === 'asleep') await extension.stopWorker();
    await statusIs(page, status);
    if (status === 'asleep') await act(page, 'rest');

    await extension[`${end}Extension`]();

    const isGone = await page.waitFor((isAsleep) => {
      // The person comes back to the page.
      if (isAsleep) dispatchEvent(new Event('focus'));
      return document.querySelector('count-output') === null;
    }, status === 'asleep');
    expect(isGone).toBe(true);
  },
);

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
    const called = HOSTS.filter((host) => mayCall(pattern, senders.get(host)));
    return [pattern, mayDeclare(pattern) ? called : 'refused', refused.includes(index) ? 'refused' : run];
  });

  const browser = inject('browserName') === 'firefox' ? 3 : 2;
  expect(found).toEqual(PATTERNS.map((row, index) => [patterns[index], row[1], row[browser] ?? row[1]]));
});

/** Writes an extension with a script for each pattern, and one for all pages that reports its sender. */
function writePatternExtension(patterns: readonly string[]): Promise<string> {
  const worker = 'chrome.runtime.onMessage.addListener((message, sender, respond) => respond(sender));';
  const report = (value: unknown): string =>
    (document.documentElement.dataset['sender'] = JSON.stringify(value));
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
      'report.js': `chrome.runtime.sendMessage('').then(${report.toString()});`,
      'options.html': '<!doctype html><title>Match patterns</title>',
    },
  );
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

function mayDeclare(pattern: string): boolean {
  try {
    return contentScript({ matches: [pattern] }).matches.length === 1;
  } catch {
    return false;
  }
}

function mayCall(pattern: string, sender: Sender | undefined): boolean {
  if (!mayDeclare(pattern)) return false;
  const callers = { content: contentScript({ matches: [pattern] }) };
  return 'info' in identifyCaller(callers, sender, { id: sender?.id ?? '', origin: 'extension://own' });
}

async function launchContent(files: Readonly<Record<string, string>> = {}) {
  const folder = await copyBuiltExtension(files, await buildTestExtension('content'));
  const extension = await launchBuiltExtension(folder);
  const address = (await servePage()).replace('127.0.0.1', 'web.test');
  return { extension, folder, address, page: await openReady(extension, address) };
}

async function openReady(extension: RunningExtension, address: string): Promise<View> {
  const page = await extension.open(address);
  await page.waitFor(() => document.querySelector('count-output') !== null);
  return page;
}

/** Adds a frame to a page, and waits until its content script is ready. */
async function addFrame(page: View, id: string, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(
    (all) => {
      const frame = document.createElement('iframe');
      for (const [name, value] of Object.entries(all)) frame.setAttribute(name, value);
      document.body.append(frame);
    },
    { ...attributes, id },
  );
  await page.waitFor((name) => {
    const frame = document.querySelector<HTMLIFrameElement>(`#${name}`);
    addEventListener(
      'message',
      ({ data, source }: MessageEvent<{ readonly done?: string }>) => {
        if (frame && source === frame.contentWindow && data.done === 'ready') frame.dataset['ready'] = '';
      },
      { once: true },
    );
    frame?.contentWindow?.postMessage({ act: 'be ready' }, '*');
    return frame?.dataset['ready'] === '';
  }, id);
}

/** Makes the content script of a page, or of a frame in it, run one of its actions. Returns the outcome. */
function act(page: View, action: string, frame = ''): Promise<unknown> {
  return page.evaluate(
    (name, id) =>
      new Promise((resolve) => {
        const target =
          id === '' ? window : document.querySelector<HTMLIFrameElement>(`#${id}`)?.contentWindow;
        addEventListener('message', function hear({ data }: MessageEvent<{ readonly done?: unknown }>) {
          if (data.done === undefined || data.done === 'ready') return;
          removeEventListener('message', hear);
          resolve(data.done);
        });
        target?.postMessage({ act: name }, '*');
      }),
    action,
    frame,
  );
}

function shows(page: View, count: string): Promise<boolean> {
  return page.waitFor(
    (expected) => document.querySelector<HTMLElement>('count-output')?.dataset['count'] === expected,
    count,
  );
}

async function statusIs(page: View, status: string): Promise<void> {
  while ((await act(page, 'status')) !== status);
}

/** Adds 1 to the counter in a new page of the extension. */
async function addOne(extension: RunningExtension): Promise<void> {
  const options = await extension.open('options.html');
  await options.evaluate(() => own.mutate('counter.add', 1));
}
