import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  browserEnvironment,
  type ConsoleEntry,
  createView,
  type Emulation,
  type LaunchOptions,
  closeLimit,
  patience,
  pollUntil,
  type RunningExtension,
  type View,
} from './running-extension.ts';

/** Arguments that keep Chromium from doing anything by itself, such as updates. */
export const chromiumArgs: readonly string[] = [
  // Chromium's sandbox does not run as root, which is the usual user in a container.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-quic',
  '--disable-sync',
  // Tests need sites that are not on a loopback address, where browsers offer less to plain HTTP.
  '--host-resolver-rules=MAP *.test 127.0.0.1, MAP *.test. 127.0.0.1',
  '--no-first-run',
];

/**
 * Starts Chromium, Chrome or Edge and installs the extension. It is installed over the DevTools pipe, because branded
 * Chrome ignores `--load-extension` since version 137.
 */
export async function launchChromium(options: LaunchOptions): Promise<RunningExtension> {
  const browser = await launch({
    executablePath: options.executable,
    userDataDir: options.profile,
    headless: options.headless,
    env: browserEnvironment(),
    signal: options.signal,
    handleSIGINT: !options.outlivesSignals,
    handleSIGTERM: !options.outlivesSignals,
    handleSIGHUP: !options.outlivesSignals,
    pipe: true,
    enableExtensions: true,
    defaultViewport: null,
    timeout: patience,
    // Each test has a time limit already.
    protocolTimeout: 0,
    // The default screen is too small for a popup of 600 px.
    args: [...chromiumArgs, ...(options.headless ? ['--disable-gpu', '--screen-info={1600x1200}'] : [])],
  });
  try {
    const [firstPage] = await browser.pages();
    const extensionsPage = firstPage ?? (await browser.newPage());
    await extensionsPage.goto('chrome://extensions/', { timeout: patience });
    // In developer mode, Chromium keeps a list of each extension's errors.
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
  // Without the pin, the toolbar button is hidden in the menu of extensions.
  await configure(extensionsPage, 'Extension', { extensionId, pinnedToToolbar: true });

  const origin = originOf(extensionId);
  const closed = new Promise<void>((settle) => {
    browser.once('disconnected', () => settle());
  });
  const kill = async (): Promise<void> => {
    browser.process()?.kill('SIGKILL');
    await closed;
  };

  return {
    version: await browser.version(),
    origin,
    allowsLocalServer: true,
    closed,
    async open(address) {
      const page = await browser.newPage();
      await page.goto(new URL(address, `${origin}/`).href, { timeout: patience });
      return createChromiumView(page, false);
    },
    async openPopup() {
      const extension = (await browser.extensions()).get(extensionId);
      const front = await findFrontPage(browser);
      if (!extension || !front) throw new Error('No tab is visible, so the popup cannot open');
      const before = new Set(browser.targets());
      await front.triggerExtensionAction(extension);
      const isPopup = (target: Target): boolean =>
        !before.has(target) && target.url().startsWith(`${origin}/`);
      return waitForView(browser, isPopup, 'the popup', true);
    },
    async findView(address) {
      const { href } = new URL(address, `${origin}/`);
      return waitForView(browser, (target) => target.url() === href, href, false);
    },
    async openPages() {
      const urls = (await browser.pages()).map((page) => page.url());
      return urls.filter((url) => url.startsWith(`${origin}/`));
    },
    async clickMenuItem(info) {
      const session = await attachToWorker(browser, origin);
      const { exceptionDetails } = await session.send('Runtime.evaluate', {
        expression: `chrome.contextMenus.onClicked.dispatch(${JSON.stringify(info)}, undefined); undefined`,
      });
      await session.detach();
      if (exceptionDetails) throw new Error(exceptionDetails.text);
    },
    isWorkerRunning: async () => (await findWorker(root, origin)) !== undefined,
    async stopWorker() {
      await untilWorkerIsRegistered(root, origin);
      await stopWorker(root, origin);
    },
    async interruptNetwork() {
      const session = await attachToWorker(browser, origin);
      const rates = { latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
      for (const offline of [true, false]) {
        const noticed = session.send('Runtime.evaluate', {
          expression: `new Promise((resolve) => navigator.connection.addEventListener('change', resolve, { once: true }))`,
          awaitPromise: true,
        });
        await session.send('Network.emulateNetworkConditions', { offline, ...rates });
        await noticed;
      }
      await session.detach();
    },
    allowPrivateWindows: () => configure(extensionsPage, 'Extension', { extensionId, incognitoAccess: true }),
    async disableExtension() {
      // `chrome://extensions` may use this API, even if the extension lacks the permission `management`.
      await extensionsPage.evaluate(`chrome.management.setEnabled(${JSON.stringify(extensionId)}, false)`);
    },
    async enableExtension() {
      await extensionsPage.evaluate(`chrome.management.setEnabled(${JSON.stringify(extensionId)}, true)`);
    },
    removeExtension: () => browser.uninstallExtension(extensionId),
    installExtension: async (other) => ({ origin: originOf(await browser.installExtension(resolve(other))) }),
    async reinstall(other) {
      const tabs = (await browser.pages()).map((page) => ({ page, url: page.url() }));
      const own = tabs.filter(({ url }) => url.startsWith(`${origin}/`));
      // Chromium would close the tabs of these pages.
      for (const { page } of own) await page.goto('about:blank', { timeout: patience });
      await browser.installExtension(resolve(other));
      // Chromium may block the pages of an extension that it has just installed. Another tab that fails was closed meanwhile.
      const load = ({ page, url }: (typeof tabs)[number]): Promise<boolean> =>
        page.goto(url, { timeout: patience }).then(
          () => true,
          (error: unknown) => !String(error).includes('ERR_BLOCKED_BY_CLIENT'),
        );
      const loaded = [...own, ...tabs.filter(({ url }) => url.startsWith('http'))].map((tab) =>
        pollUntil(() => load(tab), `${tab.url} to load again`),
      );
      await Promise.all(loaded);
    },
    async replace(other) {
      for (const id of (await browser.extensions()).keys()) await browser.uninstallExtension(id);
      const pages = (await browser.pages()).filter((page) => page !== extensionsPage);
      // Pages of the extension are closed already, so closing them may fail.
      await Promise.all(pages.map((page) => page.close().catch(() => undefined)));
      await root.detach();
      return install(browser, extensionsPage, other);
    },
    readConsole: () => readErrors(extensionsPage, extensionId),
    async measureWorkerHeap() {
      const session = await browser.targets().find(isWorkerOf(origin))?.createCDPSession();
      const size = session && (await measureHeap(session));
      await session?.detach();
      return size;
    },
    kill,
    async close() {
      // A browser that does not answer is killed.
      await Promise.race([browser.close(), sleep(closeLimit, undefined, { ref: false })]);
      await kill();
    },
  };
}

function originOf(extensionId: string): string {
  return `chrome-extension://${extensionId}`;
}

async function configure(extensionsPage: Page, what: 'Profile' | 'Extension', change: object): Promise<void> {
  const call = `chrome.developerPrivate.update${what}Configuration(${JSON.stringify(change)})`;
  await extensionsPage.evaluate(call);
}

async function waitForView(
  browser: Browser,
  matches: (target: Target) => boolean,
  name: string,
  isPopup: boolean,
): Promise<View> {
  // The target of a popup has the type "other" until the popup has navigated to its page.
  const isPage = (target: Target): boolean => target.type() === TargetType.PAGE && matches(target);
  const target = await browser.waitForTarget(isPage, { timeout: patience }).catch((cause: unknown) => {
    throw new Error(`Timed out after ${patience} ms waiting for ${name} to open`, { cause });
  });
  // `page()` finds only tabs. `asPage()` on a tab would create a second page object that misses some events.
  const page = (await target.page()) ?? (await target.asPage());
  const view = await createChromiumView(page, isPopup);
  // `page.waitForFunction` would not work: it polls once a frame, and a tab in the background has no frames.
  // A target has the address of its navigation while its document is still `about:blank`.
  await view.waitFor(() => location.protocol !== 'about:' && document.readyState === 'complete');
  return view;
}

async function findFrontPage(browser: Browser): Promise<Page | undefined> {
  const pages = await browser.pages();
  const hidden = await Promise.all(pages.map((page) => page.evaluate(() => document.hidden)));
  return pages.find((_, index) => hidden[index] === false);
}

/** Returns the target id of an origin's running worker. Listing targets needs no session, which would keep it awake. */
export async function findWorker(cdp: CDPSession | Connection, origin: string): Promise<string | undefined> {
  const { targetInfos } = await cdp.send('Target.getTargets');
  return targetInfos.find(({ type, url }) => type === 'service_worker' && url.startsWith(`${origin}/`))
    ?.targetId;
}

/** Stops the running worker of an origin, if there is one, and waits until it has stopped. */
export async function stopWorker(cdp: CDPSession | Connection, origin: string): Promise<void> {
  const targetId = await findWorker(cdp, origin);
  if (targetId === undefined) return;
  // A worker that is just starting ignores the command, so the command is repeated.
  const isGone = async (): Promise<boolean> => {
    await cdp.send('Target.closeTarget', { targetId }).catch(() => undefined);
    return (await findWorker(cdp, origin)) !== targetId;
  };
  await pollUntil(isGone, 'the service worker to stop');
}

/** Waits for a running worker to be registered. A worker that is stopped earlier never starts again. */
async function untilWorkerIsRegistered(root: CDPSession, origin: string): Promise<void> {
  const targetId = await findWorker(root, origin);
  if (targetId === undefined) return;
  // A worker that has just ended by itself cannot be attached to, and has no session.
  const attached = await root
    .send('Target.attachToTarget', { targetId, flatten: true })
    .catch(() => undefined);
  const session = attached && root.connection()?.session(attached.sessionId);
  if (!session) return;
  const isRegisteredOrGone = async (): Promise<boolean> => {
    const expression = 'serviceWorker.state';
    const answer = await session.send('Runtime.evaluate', { expression }).catch(() => undefined);
    return answer === undefined || answer.result.value === 'activated';
  };
  await pollUntil(isRegisteredOrGone, 'the service worker to be registered');
  const { sessionId } = attached;
  await root.send('Target.detachFromTarget', { sessionId }).catch(() => {});
}

const isWorkerOf =
  (origin: string) =>
  (target: Target): boolean =>
    target.type() === TargetType.SERVICE_WORKER && target.url().startsWith(`${origin}/`);

async function attachToWorker(browser: Browser, origin: string): Promise<CDPSession> {
  // Puppeteer may learn of a new worker after the pages.
  const worker = await browser.waitForTarget(isWorkerOf(origin), { timeout: patience });
  return worker.createCDPSession();
}

/** Returns the bytes of live JavaScript objects after a garbage collection. */
export async function measureHeap(session: CDPSession): Promise<number> {
  // Twice, because an object with a finalizer is freed only by the collection after its finalizer ran.
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

/** Creates the `View` of a tab, or of the popup, whose size cannot be set. */
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
      // Puppeteer throws for a name that is not a key, so callers do not need its type of key names.
      const inputs = keys as readonly KeyInput[];
      for (const key of inputs) await page.keyboard.down(key);
      for (const key of inputs.toReversed()) await page.keyboard.up(key);
    },
    async emulate(change) {
      // Each command replaces all features, so the features that were set earlier are sent again.
      emulated = { ...emulated, ...change };
      const { colorScheme = '', reducedMotion = false, forcedColors = false } = emulated;
      // Puppeteer's `emulateMediaFeatures` does not support forced colours.
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
      // A tab in the background is not painted. An open popup is always in front.
      if (!isPopup && (await page.evaluate(() => document.hidden))) await page.bringToFront();
      // `page.screenshot` would bring the page to the front, which closes an open popup.
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
 * Returns the texts under "Errors" in chrome://extensions, each of them once. Warnings of the worker are missing, because
 * only a session with the worker would show them, and that would keep it awake.
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
