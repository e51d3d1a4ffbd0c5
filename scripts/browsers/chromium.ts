import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type Browser,
  type CDPSession,
  type Connection,
  type KeyInput,
  launch,
  type Page,
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
  type RunningExtension,
  type View,
} from './running-extension.ts';

/** For a Chromium that does nothing of its own. */
export const chromiumArgs: readonly string[] = [
  // Chromium's sandbox refuses to run as root, which is who runs in a container.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  '--no-first-run',
];

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
    args: [...chromiumArgs, ...(options.headless ? ['--disable-gpu'] : [])],
  });
  try {
    const [firstPage] = await browser.pages();
    const extensionsPage = firstPage ?? (await browser.newPage());
    await extensionsPage.goto('chrome://extensions/');
    // In developer mode Chromium keeps a list of each extension's errors.
    await configure(extensionsPage, 'Profile', { inDeveloperMode: true });
    return await install(browser, extensionsPage, options.extension);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function install(browser: Browser, extensionsPage: Page, folder: string): Promise<RunningExtension> {
  const root = await browser.target().createCDPSession();
  const extensionId = await browser.installExtension(resolve(folder));
  // The person finds the button at once there; otherwise it hides behind the button of all extensions.
  await configure(extensionsPage, 'Extension', { extensionId, pinnedToToolbar: true });

  const origin = originOf(extensionId);
  const closed = new Promise<void>((settle) => {
    browser.once('disconnected', () => settle());
  });

  return {
    version: await browser.version(),
    origin,
    closed,
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
      const isPopup = (target: Target): boolean =>
        !before.has(target) && target.url().startsWith(`${origin}/`);
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
    async clickMenuItem(info) {
      const isWorker = (target: Target): boolean =>
        target.type() === TargetType.SERVICE_WORKER && target.url().startsWith(`${origin}/`);
      const session = await browser.targets().find(isWorker)?.createCDPSession();
      if (session === undefined) throw new Error('No worker to click for');
      const { exceptionDetails } = await session.send('Runtime.evaluate', {
        expression: `chrome.contextMenus.onClicked.dispatch(${JSON.stringify(info)}, undefined); undefined`,
      });
      await session.detach();
      if (exceptionDetails) throw new Error(exceptionDetails.text);
    },
    isWorkerRunning: async () => (await findWorker(root, origin)) !== undefined,
    stopWorker: () => stopWorker(root, origin),
    installExtension: async (other) => ({ origin: originOf(await browser.installExtension(resolve(other))) }),
    async replace(other) {
      for (const id of (await browser.extensions()).keys()) await browser.uninstallExtension(id);
      const pages = (await browser.pages()).filter((page) => page !== extensionsPage);
      // Those of the extension are closed already.
      await Promise.all(pages.map((page) => page.close().catch(() => undefined)));
      await root.detach();
      return install(browser, extensionsPage, other);
    },
    readConsole: () => readErrors(extensionsPage, extensionId),
    async measureWorkerHeap() {
      const isWorker = (target: Target): boolean =>
        target.type() === TargetType.SERVICE_WORKER && target.url().startsWith(`${origin}/`);
      const session = await browser.targets().find(isWorker)?.createCDPSession();
      const size = session && (await measureHeap(session));
      await session?.detach();
      return size;
    },
    async kill() {
      browser.process()?.kill('SIGKILL');
      await closed;
    },
    close: () => browser.close(),
  };
}

function originOf(extensionId: string): string {
  return `chrome-extension://${extensionId}`;
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

/** The target id of the worker that an origin has running. Being listed needs no session, which would keep it awake. */
export async function findWorker(cdp: CDPSession | Connection, origin: string): Promise<string | undefined> {
  const { targetInfos } = await cdp.send('Target.getTargets');
  return targetInfos.find(({ type, url }) => type === 'service_worker' && url.startsWith(`${origin}/`))
    ?.targetId;
}

/** Ends the worker that an origin has running, if there is one, and waits until it is gone. */
export async function stopWorker(cdp: CDPSession | Connection, origin: string): Promise<void> {
  const targetId = await findWorker(cdp, origin);
  if (targetId === undefined) return;
  // A worker that is just starting passes over the order, so it is given until it is followed.
  const isGone = async (): Promise<boolean> => {
    await cdp.send('Target.closeTarget', { targetId }).catch(() => undefined);
    return (await findWorker(cdp, origin)) !== targetId;
  };
  await pollUntil(isGone, 'the service worker to stop');
}

/** Bytes of live JavaScript objects after a collection. */
export async function measureHeap(session: CDPSession): Promise<number> {
  // An object with a finalizer is freed only by the collection after the finalizer ran.
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
    async clickAt({ x, y }, whileHeld) {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await whileHeld();
      await page.mouse.up();
    },
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
    measureHeap: () => measureHeap(session),
    async reload() {
      await page.reload({ timeout: patience });
    },
    close: () => page.close(),
  });
}

/**
 * The texts under "Errors" in chrome://extensions, each once: everything but the worker's warnings. A session
 * with the worker would show those, and keep it awake.
 */
async function readErrors(extensionsPage: Page, extensionId: string): Promise<readonly ConsoleEntry[]> {
  const errors: unknown = await extensionsPage.evaluate(`(async () => {
    const { manifestErrors, runtimeErrors } =
      await chrome.developerPrivate.getExtensionInfo(${JSON.stringify(extensionId)});
    return [
      ...manifestErrors.filter(({ message }) => message.startsWith('Service worker registration failed')),
      // Content scripts are left out.
      ...runtimeErrors.filter(({ contextUrl }) => contextUrl.startsWith(${JSON.stringify(originOf(extensionId))})),
    ].map(({ message, source, severity }) =>
      ({ level: severity === 'WARN' ? 'warning' : 'error', text: message, source }));
  })()`);
  return errors as readonly ConsoleEntry[];
}
