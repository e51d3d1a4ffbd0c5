import { Browser, createProfile, launch, WEBDRIVER_BIDI_WEBSOCKET_ENDPOINT_REGEX } from '@puppeteer/browsers';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BidiConnection } from 'puppeteer-core/internal/bidi/Connection.js';
import { NodeWebSocketTransport } from 'puppeteer-core/internal/node/NodeWebSocketTransport.js';

import { projectFolder } from '../project-folder.ts';
import {
  type ConsoleEntry,
  createView,
  type LaunchOptions,
  pageResult,
  patience,
  pollUntil,
  type RunningExtension,
  type View,
} from './running-extension.ts';

/** Starts Firefox with the extension in it, as a temporary add-on: only those need no signature. */
export async function launchFirefox(options: LaunchOptions): Promise<RunningExtension> {
  await mkdir(options.profile, { recursive: true });
  await createProfile(Browser.FIREFOX, {
    path: options.profile,
    preferences: {
      // Temporary add-ons are uninstalled when Firefox ends; what they stored is to be there after a restart.
      'extensions.webextensions.keepStorageOnUninstall': true,
      'extensions.webextensions.keepUuidOnUninstall': true,
    },
  });
  const firefox = launch({
    executablePath: options.executable,
    // Nothing is passed on by itself, and Firefox needs DISPLAY and HOME.
    env: process.env,
    args: [
      ...(options.headless ? ['--headless'] : []),
      // Without these two, Firefox would detach itself from the process that was started.
      ...(process.platform === 'darwin' ? ['--foreground'] : []),
      ...(process.platform === 'win32' ? ['--wait-for-browser'] : []),
      '--no-remote',
      '--profile',
      options.profile,
      '--remote-debugging-port=0',
      // Without it, Firefox refuses moz-extension:// addresses and its own chrome scope.
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
    closed: firefox.hasClosed(),
    async open(address) {
      const { context } = await bidi<Tab>('browsingContext.create', { type: 'tab' });
      const url = new URL(address, `${origin}/`).href;
      await bidi('browsingContext.navigate', { context, url, wait: 'none' });
      await waitUntilLoaded(bidi, context, `location.href !== 'about:blank'`);
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
    // To look afterwards whether it is gone would be too late: a page may have started the next.
    stopWorker: () => window('stopBackground', id),
    installExtension: add,
    async replace(other) {
      for (const extension of installed) await bidi('webExtension.uninstall', { extension });
      for (const { context } of await listTabs(bidi)) {
        // Those of the extension are closed already, or are being closed.
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
      // Firefox may end before it has answered; that it ends is what counts.
      await bidi('browser.close').catch(() => undefined);
      await Promise.race([firefox.hasClosed(), sleep(patience, undefined, { ref: false })]);
      await firefox.close();
    },
  };
}

interface Tab {
  /** BiDi's id. */
  readonly context: string;
  readonly url: string;
}

async function listTabs(bidi: Bidi, scope = {}): Promise<readonly Tab[]> {
  return (await bidi<{ contexts: readonly Tab[] }>('browsingContext.getTree', scope)).contexts;
}

/** Calls a function of `firefox-window.js`. Arguments and result travel as JSON. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the function's result
type FirefoxWindow = <Result = void>(name: string, ...args: readonly unknown[]) => Promise<Result>;

async function openWindow(bidi: Bidi): Promise<FirefoxWindow> {
  const windows = await listTabs(bidi, { 'moz:scope': 'chrome' });
  const { context } = windows.find(({ url }) => url.endsWith('/browser.xhtml')) ?? {};
  if (context === undefined) throw new Error('Firefox shows no browser window');
  const source = await readFile(join(projectFolder, 'scripts/browsers/firefox-window.js'), 'utf8');
  await evaluate(bidi, context, `${source}\nundefined`);
  return async <Result>(name: string, ...args: readonly unknown[]): Promise<Result> => {
    const call = `extensionDriver.${name}(...${JSON.stringify(args)})`;
    const run = `(async () => JSON.stringify({ result: await ${call} }))()`;
    return pageResult(await evaluate(bidi, context, run));
  };
}

/** A `View` of a tab, or of the popup, which has no size of its own to set. */
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
      // Firefox does not say when an extension page has loaded, so a mark on the old page distinguishes it from the new one.
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

/** WebDriver's code points for keys that are not characters (https://w3c.github.io/webdriver/#keyboard-actions). */
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
  if (value === undefined) throw new Error(`No key is called ${name}`);
  return value;
}

/**
 * Waits until the page has loaded and `condition`, source text, holds in it. Asks the page: for extension pages Firefox
 * never sends the events on which BiDi's own waiting rests.
 */
async function waitUntilLoaded(bidi: Bidi, context: string, condition: string): Promise<void> {
  const source = `document.readyState === 'complete' && ${condition} ? document.documentURI : ''`;
  // While one page gives way to the next there may be nothing to ask.
  const ask = (): Promise<unknown> => evaluate(bidi, context, source).catch(() => '');
  const uri = String(await pollUntil(ask, 'the page to load'));
  if (uri.startsWith('about:neterror')) throw new Error(`Firefox cannot load the page: ${uri}`);
}

interface Evaluated {
  readonly type: string;
  readonly result?: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string };
}

/** Evaluates source text in a browsing context and awaits its promise, which is to give a primitive value. */
async function evaluate(bidi: Bidi, context: string, expression: string): Promise<unknown> {
  const target = { expression, target: { context }, awaitPromise: true };
  const { result, exceptionDetails } = await bidi<Evaluated>('script.evaluate', target);
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result?.value;
}

/**
 * Sends a WebDriver BiDi command (https://w3c.github.io/webdriver-bidi/). Rejects with Firefox's error and message; also
 * when the browser goes away before it answers.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the command's result
type Bidi = <Result>(method: string, params?: Readonly<Record<string, unknown>>) => Promise<Result>;

/**
 * Puppeteer's connection alone, without its `Browser`: that one cannot reach Firefox's chrome scope, and waits for events
 * that extension pages never send.
 */
async function openBidi(url: string): Promise<Bidi> {
  let lastId = 0;
  const transport = await NodeWebSocketTransport.create(url);
  // No limit for a command: a test has one of its own.
  const connection = new BidiConnection(url, transport, () => (lastId += 1), 0, 0);
  return async <Result>(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Result> => {
    // Its types know neither Firefox's own parameters nor commands for extensions.
    const { result } = await connection.send(method as 'session.new', params as never);
    return result as Result;
  };
}
