import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type Browser,
  type CDPSession,
  type KeyInput,
  launch,
  type Page,
  type Protocol,
  type SerializedAXNode,
  type Target,
  TargetType,
} from 'puppeteer-core';

import {
  type ConsoleEntry,
  createView,
  type Emulation,
  type LaunchOptions,
  patience,
  pollUntil,
  readExtensionManifest,
  type RunningExtension,
  type View,
} from './running-extension.ts';

/**
 * Starts Chromium, Chrome or Edge with the extension in it. The extension is installed over the DevTools pipe:
 * branded Chrome ignores `--load-extension` since version 137.
 */
export async function launchChromium(options: LaunchOptions): Promise<RunningExtension> {
  const browser = await launch({
    executablePath: options.executable,
    userDataDir: options.profile,
    headless: options.headless,
    pipe: true,
    enableExtensions: true,
    defaultViewport: null,
    timeout: patience,
    // A test has a limit of its own.
    protocolTimeout: 0,
    args: [
      // Chromium's sandbox refuses to run as root, which is who runs in a container.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(options.headless ? ['--disable-gpu'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  try {
    const [firstPage] = await browser.pages();
    const extensionsPage = firstPage ?? (await browser.newPage());
    await extensionsPage.goto('chrome://extensions/');
    // In developer mode Chromium keeps a list of each worker's errors.
    await configure(extensionsPage, 'Profile', { inDeveloperMode: true });
    return await install(browser, extensionsPage, options.extension);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function install(browser: Browser, extensionsPage: Page, folder: string): Promise<RunningExtension> {
  const { popup } = await readExtensionManifest(folder);
  const root = await browser.target().createCDPSession();
  const extensionId = await browser.installExtension(resolve(folder));
  // Where the person finds the button at once; otherwise it hides behind the one of all extensions.
  await configure(extensionsPage, 'Extension', { extensionId, pinnedToToolbar: true });

  const installed = new Set([extensionId]);
  const origin = `chrome-extension://${extensionId}`;
  // An extension may name another page of its own to the toolbar.
  const popups = new URL('.', `${origin}/${popup}`).href;
  const pageEntries = await collectPageConsoles(browser, origin);
  const isWorker = (target: Target): boolean =>
    target.type() === TargetType.SERVICE_WORKER && target.url().startsWith(`${origin}/`);

  return {
    browser: 'chromium',
    version: await browser.version(),
    origin,
    closed: new Promise((settle) => {
      browser.once('disconnected', () => settle());
    }),
    async open(address) {
      const page = await browser.newPage();
      await page.goto(new URL(address, `${origin}/`).href, { timeout: patience });
      return createChromiumView(page, false);
    },
    async openPopup() {
      const extension = (await browser.extensions()).get(extensionId);
      const front = await findFrontPage(browser);
      if (!extension || !front) throw new Error('No tab to click the toolbar button in');
      const before = new Set(browser.targets());
      await front.triggerExtensionAction(extension);
      const isPopup = (target: Target): boolean => !before.has(target) && target.url().startsWith(popups);
      return createChromiumView(await waitForPage(browser, isPopup, 'the popup'), true);
    },
    async findView(address) {
      const { href } = new URL(address, `${origin}/`);
      return createChromiumView(await waitForPage(browser, (target) => target.url() === href, href), false);
    },
    async openPages() {
      const urls = (await browser.pages()).map((page) => page.url());
      return urls.filter((url) => url.startsWith(`${origin}/`));
    },
    isWorkerRunning: async () => (await findWorker(root, origin)) !== undefined,
    async stopWorker() {
      const targetId = await findWorker(root, origin);
      if (targetId === undefined) return;
      // A worker that is just starting passes over the order, so it is given until it is followed.
      const isGone = async (): Promise<boolean> => {
        await root.send('Target.closeTarget', { targetId }).catch(() => undefined);
        return (await findWorker(root, origin)) !== targetId;
      };
      await pollUntil(isGone, 'the service worker to stop');
    },
    async installExtension(other) {
      const id = await browser.installExtension(resolve(other));
      installed.add(id);
      return { id, origin: `chrome-extension://${id}` };
    },
    async replace(other) {
      for (const id of installed) await browser.uninstallExtension(id);
      const pages = (await browser.pages()).filter((page) => page !== extensionsPage);
      // Those of the extension are closed already.
      await Promise.all(pages.map((page) => page.close().catch(() => undefined)));
      await root.detach();
      return install(browser, extensionsPage, other);
    },
    readConsole: async () => [...pageEntries, ...(await readWorkerErrors(extensionsPage, extensionId))],
    async measureWorkerHeap() {
      const session = await browser.targets().find(isWorker)?.createCDPSession();
      if (session === undefined) return undefined;
      try {
        return await measureHeap(session);
      } finally {
        await session.detach();
      }
    },
    async kill() {
      const gone = new Promise((settle) => browser.once('disconnected', settle));
      browser.process()?.kill('SIGKILL');
      await gone;
    },
    close: () => browser.close(),
  };
}

async function configure(extensionsPage: Page, what: 'Profile' | 'Extension', change: object): Promise<void> {
  const call = `chrome.developerPrivate.update${what}Configuration(${JSON.stringify(change)})`;
  await extensionsPage.evaluate(call);
}

async function waitForPage(
  browser: Browser,
  matches: (target: Target) => boolean,
  name: string,
): Promise<Page> {
  // A popup is a target of type "other" until it has navigated to its page.
  const isPage = (target: Target): boolean => target.type() === TargetType.PAGE && matches(target);
  const target = await browser.waitForTarget(isPage, { timeout: patience }).catch((cause: unknown) => {
    throw new Error(`Timed out after ${patience} ms waiting for ${name} to open`, { cause });
  });
  // `page()` knows tabs only, and `asPage()` on a tab makes a second, half-deaf page of it.
  const page = (await target.page()) ?? (await target.asPage());
  // Not `page.waitForFunction`: it asks once a frame, and a tab in the background has no frames.
  const isLoaded = (): Promise<boolean> => page.evaluate(() => document.readyState === 'complete');
  await pollUntil(isLoaded, `${name} to load`);
  return page;
}

async function findFrontPage(browser: Browser): Promise<Page | undefined> {
  const pages = await browser.pages();
  const hidden = await Promise.all(pages.map((page) => page.evaluate(() => document.hidden)));
  return pages.find((_, index) => hidden[index] === false);
}

/** The running worker's target id. Being listed needs no session on the worker, which would keep it awake. */
async function findWorker(root: CDPSession, origin: string): Promise<string | undefined> {
  const { targetInfos } = await root.send('Target.getTargets');
  return targetInfos.find(({ type, url }) => type === 'service_worker' && url.startsWith(`${origin}/`))
    ?.targetId;
}

async function measureHeap(session: CDPSession): Promise<number> {
  // What has a finalizer goes only with the collection after it ran.
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** A `View` of a tab, or of the popup, which has no size of its own to set. */
async function createChromiumView(page: Page, isPopup: boolean): Promise<View> {
  const session = await page.createCDPSession();
  let emulated: Emulation = {};

  return createView({
    run: (source) => page.evaluate(source),
    clickAt: ({ x, y }) => page.mouse.click(x, y),
    async pressTogether(keys) {
      // Puppeteer throws for names that are not keys, so the type of its table need not reach our callers.
      const inputs = keys as readonly KeyInput[];
      for (const key of inputs) await page.keyboard.down(key);
      for (const key of inputs.toReversed()) await page.keyboard.up(key);
    },
    async emulate(change) {
      // Each command replaces the features of the one before, so all that were ever set are sent.
      emulated = { ...emulated, ...change };
      const { colorScheme = '', reducedMotion = false, forcedColors = false } = emulated;
      // Not Puppeteer's `emulateMediaFeatures`, which does not know forced colours.
      await session.send('Emulation.setEmulatedMedia', {
        features: [
          { name: 'prefers-color-scheme', value: colorScheme },
          { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
          { name: 'forced-colors', value: forcedColors ? 'active' : 'none' },
        ],
      });

      if (change.viewport && isPopup) throw new Error('A popup takes its size from its content');
      if (change.viewport) await page.setViewport({ ...change.viewport });
    },
    async readAccessibilityTree() {
      const tree = await page.accessibility.snapshot({ interestingOnly: false });
      return tree === null ? '' : renderTree(tree);
    },
    async screenshot(file) {
      // A tab in the background is not painted. The popup is in front, or it would be closed.
      if (!isPopup && (await page.evaluate(() => document.hidden))) await page.bringToFront();
      // Not `page.screenshot`: that brings the page to the front, and so closes an open popup.
      const { cssContentSize } = await session.send('Page.getLayoutMetrics');
      const { data } = await session.send('Page.captureScreenshot', {
        captureBeyondViewport: true,
        clip: { ...cssContentSize, scale: 1 },
      });
      await writeFile(file, Buffer.from(data, 'base64'));
    },
    async recordFrames(run) {
      const frames: Buffer[] = [];
      session.on('Page.screencastFrame', ({ data, sessionId }) => {
        frames.push(Buffer.from(data, 'base64'));
        // The next one comes only when this one was taken. If the page was closed, there is none to wait for.
        session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      });
      await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
      try {
        await run();
      } finally {
        await session.send('Page.stopScreencast');
        session.removeAllListeners('Page.screencastFrame');
      }
      return frames;
    },
    measureHeap: () => measureHeap(session),
    async reload() {
      await page.reload({ timeout: patience });
    },
    close: () => page.close(),
  });
}

/**
 * Collects what the pages below an origin write, those that are open and those to come. The DevTools protocol replays
 * what was written before the session began. The worker is left out: a session would keep it awake, and its sleep is
 * part of what is tested.
 */
async function collectPageConsoles(browser: Browser, origin: string): Promise<readonly ConsoleEntry[]> {
  const entries: ConsoleEntry[] = [];
  const watched = new WeakSet<Target>();

  async function watch(target: Target): Promise<void> {
    const isPage = target.type() === TargetType.PAGE && target.url().startsWith(`${origin}/`);
    if (!isPage || watched.has(target)) return;
    watched.add(target);
    // A page that closes in this moment ends its session; then there is nothing left to listen to.
    const session = await target.createCDPSession().catch(() => undefined);
    if (session === undefined) return;

    const add = (level: string, text: string, source = target.url()): void => {
      if (level !== 'warning' && level !== 'error') return;
      // The session outlives a navigation, and what another site writes is not the extension's.
      if (target.url().startsWith(`${origin}/`)) entries.push({ level, text, source });
    };
    session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
      const text = args.map(describe).join(' ');
      add(type === 'assert' ? 'error' : type, text, stackTrace?.callFrames[0]?.url);
    });
    session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, url } }) => {
      add('error', exception?.description ?? text, url);
    });
    session.on('Log.entryAdded', ({ entry: { level, text, url } }) => add(level, text, url));
    await Promise.allSettled([session.send('Runtime.enable'), session.send('Log.enable')]);
  }

  browser.on('targetcreated', (target) => void watch(target));
  browser.on('targetchanged', (target) => void watch(target));
  await Promise.all(browser.targets().map(watch));
  return entries;
}

function describe({ value, description, type }: Protocol.Runtime.RemoteObject): string {
  return typeof value === 'string' ? value : (description ?? type);
}

/** The worker's errors (not its warnings) and a failed registration, from the list behind "Errors" in chrome://extensions. */
async function readWorkerErrors(extensionsPage: Page, extensionId: string): Promise<readonly ConsoleEntry[]> {
  const errors: unknown = await extensionsPage.evaluate(`(async () => {
    const { manifestErrors, runtimeErrors } =
      await chrome.developerPrivate.getExtensionInfo(${JSON.stringify(extensionId)});
    return [
      ...manifestErrors.filter(({ message }) => message.startsWith('Service worker registration failed')),
      ...runtimeErrors.filter(({ isServiceWorker }) => isServiceWorker),
    ].map(({ message, source }) => ({ level: 'error', text: message, source }));
  })()`);
  return errors as readonly ConsoleEntry[];
}

/** A line for each node, but for those that say nothing of their own, with its role, name and states. */
function renderTree({ role, name, children = [], ...states }: SerializedAXNode, depth = 0): string {
  const isShown = !['generic', 'none', 'InlineTextBox'].includes(role);
  const below = children.map((child) => renderTree(child, isShown ? depth + 1 : depth)).join('');
  if (!isShown) return below;

  const readOut = Object.entries(states).flatMap(([state, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) ? ` ${state}=${String(value)}` : [],
  );
  const named = name ? ` ${JSON.stringify(name)}` : '';
  return `${'  '.repeat(depth)}${role}${named}${readOut.join('')}\n${below}`;
}
