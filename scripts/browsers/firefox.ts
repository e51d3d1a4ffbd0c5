import { Browser, createProfile, launch, WEBDRIVER_BIDI_WEBSOCKET_ENDPOINT_REGEX } from '@puppeteer/browsers';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BidiConnection } from 'puppeteer-core/internal/bidi/Connection.js';
import { NodeWebSocketTransport } from 'puppeteer-core/internal/node/NodeWebSocketTransport.js';

import { projectFolder } from '../project-folder.ts';
import {
  browserEnvironment,
  type ConsoleEntry,
  createView,
  type LaunchOptions,
  pageResult,
  closeLimit,
  patience,
  pollUntil,
  type RunningExtension,
  type View,
} from './running-extension.ts';

/** Host names that lead to this machine. Firefox has no wildcard for them. */
const localDomains = ['web.test', 'web.test.', 'sub.web.test', 'other.test', 'xn--bcher-kva.test'];

/** Starts Firefox and installs the extension as a temporary add-on, because other add-ons need a signature. */
export async function launchFirefox(options: LaunchOptions): Promise<RunningExtension> {
  await mkdir(options.profile, { recursive: true });
  await createProfile(Browser.FIREFOX, {
    path: options.profile,
    preferences: {
      // Firefox uninstalls temporary add-ons when it ends. These settings keep their stored data for a restart.
      'extensions.webextensions.keepStorageOnUninstall': true,
      'extensions.webextensions.keepUuidOnUninstall': true,
      // Tests need sites that are not on a loopback address, where browsers offer less to plain HTTP.
      'network.dns.localDomains': localDomains.join(),
    },
  });
  const firefox = launch({
    executablePath: options.executable,
    // Firefox needs DISPLAY and HOME, and `launch` passes no variables by default.
    env: browserEnvironment(),
    signal: options.signal,
    handleSIGINT: !options.outlivesSignals,
    handleSIGTERM: !options.outlivesSignals,
    handleSIGHUP: !options.outlivesSignals,
    args: [
      ...(options.headless ? ['--headless'] : []),
      // Without these two arguments, Firefox would detach from the started process.
      ...(process.platform === 'darwin' ? ['--foreground'] : []),
      ...(process.platform === 'win32' ? ['--wait-for-browser'] : []),
      '--no-remote',
      '--profile',
      options.profile,
      '--remote-debugging-port=0',
      // Without it, BiDi cannot use moz-extension:// addresses or Firefox's own window.
      '--remote-allow-system-access',
      'about:blank',
    ],
  });
  try {
    const url = await firefox.waitForLineOutput(WEBDRIVER_BIDI_WEBSOCKET_ENDPOINT_REGEX, patience);
    const bidi = await openBidi(`${url}/session`);
    const { capabilities } = await bidi<{
      capabilities: { readonly browserName: string; readonly browserVersion: string };
    }>('session.new', { capabilities: {} });
    const version = `${capabilities.browserName}/${capabilities.browserVersion}`;
    const window = await openWindow(bidi);
    return await install({ firefox, bidi, version, window }, options.extension);
  } catch (error) {
    await firefox.close();
    throw error;
  }
}

interface RunningFirefox {
  readonly firefox: ReturnType<typeof launch>;
  readonly bidi: Bidi;
  readonly version: string;
  readonly window: FirefoxWindow;
}

async function install(running: RunningFirefox, folder: string): Promise<RunningExtension> {
  const { firefox, bidi, version, window } = running;
  const [firstTab] = await listTabs(bidi);
  const installed = new Set<string>();
  const add = async (path: string): Promise<{ id: string; origin: string }> => {
    const type = (await stat(path)).isDirectory() ? 'path' : 'archivePath';
    const extensionData = { type, path: resolve(path) };
    const { extension: id } = await bidi<{ extension: string }>('webExtension.install', { extensionData });
    installed.add(id);
    return { id, origin: await window<string>('originOf', id) };
  };
  const { id, origin } = await add(folder);
  await window('pinAction', id);

  return {
    version,
    origin,
    allowsLocalServer: await window<boolean>('allowsLocalServer'),
    closed: firefox.hasClosed(),
    async open(address) {
      const { context } = await bidi<Tab>('browsingContext.create', { type: 'tab' });
      await navigate(bidi, context, new URL(address, `${origin}/`).href);
      return createFirefoxView(bidi, window, context, false);
    },
    async openPopup() {
      const context = await window<string>('openPopup', id);
      await waitUntilLoaded(bidi, context, `location.href !== 'about:blank'`);
      return createFirefoxView(bidi, window, context, true);
    },
    async findView(address) {
      const { href } = new URL(address, `${origin}/`);
      const findTab = async (): Promise<Tab | undefined> =>
        (await listTabs(bidi)).find(({ url }) => url === href);
      const { context } = await pollUntil(findTab, `${href} to open`);
      await waitUntilLoaded(bidi, context, 'true');
      return createFirefoxView(bidi, window, context, false);
    },
    async openPages() {
      const urls = (await listTabs(bidi)).map(({ url }) => url);
      return urls.filter((url) => url.startsWith(`${origin}/`));
    },
    clickMenuItem: (info) => window('clickMenuItem', id, info),
    isWorkerRunning: async () => (await window<string>('backgroundState', id)) !== 'stopped',
    // This resolves when the event page has stopped. Checking its state later would be wrong, since a page may have
    // started the next one.
    stopWorker: () => window('stopBackground', id),
    restartWorker: () => window('restartBackground', id),
    interruptNetwork: () => window('interruptNetwork'),
    allowPrivateWindows: () => window('allowPrivateWindows', id),
    disableExtension: () => window('disable', id),
    enableExtension: () => window('enable', id),
    removeExtension: () => bidi('webExtension.uninstall', { extension: id }),
    installExtension: add,
    async reinstall(other) {
      const tabs = (await listTabs(bidi)).filter(({ url }) => url.startsWith(`${origin}/`));
      // Firefox would close the tabs of these pages.
      for (const { context } of tabs) await navigate(bidi, context, 'about:blank');
      await add(other);
      for (const { context, url } of tabs) await navigate(bidi, context, url);
    },
    async replace(other) {
      for (const extension of installed) {
        // A test may have removed it.
        await bidi('webExtension.uninstall', { extension }).catch(() => undefined);
      }
      for (const { context } of await listTabs(bidi)) {
        // Tabs of the extension are closed already or are closing, so closing them may fail.
        if (context !== firstTab?.context)
          await bidi('browsingContext.close', { context }).catch(() => undefined);
      }
      await window('forgetOrigins');
      return install(running, other);
    },
    readConsole: () => window<readonly ConsoleEntry[]>('readConsole', origin),
    measureWorkerHeap: async () => undefined,
    async kill() {
      firefox.nodeProcess.kill('SIGKILL');
      await firefox.hasClosed();
    },
    async close() {
      // The result does not matter, because Firefox may end before it answers. If it does not end, it is killed.
      void bidi('browser.close').catch(() => undefined);
      await Promise.race([firefox.hasClosed(), sleep(closeLimit, undefined, { ref: false })]);
      await firefox.close();
    },
  };
}

interface Tab {
  /** Id of the tab in BiDi. */
  readonly context: string;
  readonly url: string;
}

async function listTabs(bidi: Bidi, scope = {}): Promise<readonly Tab[]> {
  return (await bidi<{ contexts: readonly Tab[] }>('browsingContext.getTree', scope)).contexts;
}

/** Calls a function of `firefox-window.js`. Arguments and results are sent as JSON. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the function's result
type FirefoxWindow = <Result = void>(name: string, ...args: readonly unknown[]) => Promise<Result>;

async function openWindow(bidi: Bidi): Promise<FirefoxWindow> {
  const windows = await listTabs(bidi, { 'moz:scope': 'chrome' });
  const { context } = windows.find(({ url }) => url.endsWith('/browser.xhtml')) ?? {};
  if (context === undefined) throw new Error('Firefox has not opened a browser window');
  const source = await readFile(join(projectFolder, 'scripts/browsers/firefox-window.js'), 'utf8');
  await evaluate(bidi, context, `${source}\nundefined`);
  return async <Result>(name: string, ...args: readonly unknown[]): Promise<Result> => {
    const call = `extensionDriver.${name}(...${JSON.stringify(args)})`;
    const run = `(async () => JSON.stringify({ result: await ${call} }))()`;
    return pageResult(await evaluate(bidi, context, run));
  };
}

/** Creates the `View` of a tab, or of the popup, whose size cannot be set. */
function createFirefoxView(bidi: Bidi, window: FirefoxWindow, context: string, isPopup: boolean): View {
  const perform = async (device: Readonly<Record<string, unknown>>): Promise<void> => {
    await bidi('input.performActions', { context, actions: [device] });
  };

  return createView({
    run: (source) => evaluate(bidi, context, source),
    async clickAt({ x, y }, whileHeld) {
      const mouse = { type: 'pointer', id: 'mouse' };
      const press = [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
      ];
      await perform({ ...mouse, actions: press });
      await whileHeld();
      await perform({ ...mouse, actions: [{ type: 'pointerUp', button: 0 }] });
    },
    async pressTogether(names) {
      const keys = names.map(keyOf);
      const down = keys.map((value) => ({ type: 'keyDown', value }));
      const up = keys.toReversed().map((value) => ({ type: 'keyUp', value }));
      await perform({ type: 'key', id: 'keyboard', actions: [...down, ...up] });
    },
    async emulate({ viewport, ...media }) {
      await window('overrideMedia', context, media);
      if (viewport && isPopup) throw new Error('A popup takes its size from its content');
      if (viewport) await bidi('browsingContext.setViewport', { context, viewport });
    },
    async screenshot(file) {
      const capture = { context, origin: 'document' };
      const { data } = await bidi<{ data: string }>('browsingContext.captureScreenshot', capture);
      await writeFile(file, Buffer.from(data, 'base64'));
    },
    measureHeap: async () => undefined,
    async reload() {
      // Firefox does not report when an extension page has loaded, so a mark distinguishes the old page from the new one.
      await evaluate(bidi, context, 'void (window.isBeforeReload = true)');
      await bidi('browsingContext.reload', { context, wait: 'none' });
      await waitUntilLoaded(bidi, context, '!window.isBeforeReload');
    },
    async close() {
      if (isPopup) await window('closePopup');
      else await bidi('browsingContext.close', { context });
    },
  });
}

/** WebDriver's code points for keys without a character (https://w3c.github.io/webdriver/#keyboard-actions). */
const codePoints: Readonly<Record<string, string>> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE006',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

function keyOf(name: string): string {
  const value = name.length === 1 ? name : codePoints[name];
  if (value === undefined) throw new Error(`There is no key with the name ${name}`);
  return value;
}

async function navigate(bidi: Bidi, context: string, url: string): Promise<void> {
  await bidi('browsingContext.navigate', { context, url, wait: 'none' });
  const isOther = `(location.href === 'about:blank') === ${url === 'about:blank'}`;
  await waitUntilLoaded(bidi, context, isOther);
}

/**
 * Waits until the page has loaded and `condition`, an expression as text, is true in it. It polls the page, because
 * Firefox does not send the events of extension pages that BiDi's own waiting needs.
 */
async function waitUntilLoaded(bidi: Bidi, context: string, condition: string): Promise<void> {
  const source = `document.readyState === 'complete' && ${condition} ? document.documentURI : ''`;
  // The evaluation fails during a navigation, when there is no page.
  const ask = (): Promise<unknown> => evaluate(bidi, context, source).catch(() => '');
  const uri = String(await pollUntil(ask, 'the page to load'));
  if (uri.startsWith('about:neterror')) throw new Error(`Firefox cannot load the page: ${uri}`);
}

interface Evaluated {
  readonly type: string;
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string };
}

/** Evaluates an expression in a browsing context and awaits its promise, which must resolve to a primitive value. */
async function evaluate(bidi: Bidi, context: string, expression: string): Promise<unknown> {
  const target = { expression, target: { context }, awaitPromise: true };
  const { result, exceptionDetails } = await bidi<Evaluated>('script.evaluate', target);
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result?.value;
}

/**
 * Sends a WebDriver BiDi command (https://w3c.github.io/webdriver-bidi/). Rejects with Firefox's error and message, or if
 * the browser ends before it answers.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the command's result
type Bidi = <Result>(method: string, params?: Readonly<Record<string, unknown>>) => Promise<Result>;

/**
 * Opens a BiDi connection without Puppeteer's `Browser`, which cannot use Firefox's own window and waits for events that
 * extension pages do not send.
 */
async function openBidi(url: string): Promise<Bidi> {
  let lastId = 0;
  const transport = await NodeWebSocketTransport.create(url);
  // Commands have no time limit, because each test has one.
  const connection = new BidiConnection(url, transport, () => (lastId += 1), 0, 0);
  return async <Result>(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Result> => {
    // Puppeteer's types have neither Firefox's parameters nor the commands for extensions.
    const { result } = await connection.send(method as 'session.new', params as never);
    return result as Result;
  };
}
