import { resolve } from 'node:path';
import { type Browser, type CDPSession, launch, type Page, type Target, TargetType } from 'puppeteer-core';

import { createChromiumConsole } from './chromium-console.ts';
import { createChromiumView } from './chromium-view.ts';
import { measureWorkerHeap } from './measure-worker-heap.ts';
import { patience } from './patience.ts';
import { pollUntil } from './poll-until.ts';
import { readExtensionManifest } from './read-extension-manifest.ts';
import type { LaunchOptions, RunningExtension } from './running-extension.ts';

/**
 * Starts Chromium, Chrome or Edge with the extension in it. The extension is installed over the DevTools pipe:
 * branded Chrome ignores `--load-extension` since version 137.
 */
export async function launchChromium(options: LaunchOptions): Promise<RunningExtension> {
  const { popup } = await readExtensionManifest(options.extension);
  const browser = await startBrowser(options);
  try {
    return await install(browser, options.extension, popup);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

function startBrowser({ executable, profile, headless, exitOnSignal }: LaunchOptions): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return launch({
    executablePath: executable,
    userDataDir: profile,
    headless,
    pipe: true,
    enableExtensions: true,
    defaultViewport: null,
    handleSIGINT: exitOnSignal,
    handleSIGTERM: exitOnSignal,
    handleSIGHUP: exitOnSignal,
    args: [
      // Chromium's sandbox refuses to run as root, which is who runs in a container.
      ...(isRoot ? ['--no-sandbox'] : []),
      ...(headless ? ['--disable-gpu'] : []),
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-quic',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

async function install(browser: Browser, folder: string, popup: string): Promise<RunningExtension> {
  const root = await browser.target().createCDPSession();
  const [firstPage] = await browser.pages();
  const extensionsPage = firstPage ?? (await browser.newPage());
  const log = await createChromiumConsole(browser, extensionsPage);
  const id = await browser.installExtension(resolve(folder));
  const origin = `chrome-extension://${id}`;
  // An extension may name another page of its own to the toolbar.
  const popups = new URL('.', `${origin}/${popup}`).href;
  await log.watch(origin);
  await pinToToolbar(extensionsPage, id);

  const findPage = (address: string): Promise<Page> => {
    const { href } = new URL(address, `${origin}/`);
    return waitForPage(browser, (target) => target.url() === href, href);
  };

  return {
    browser: 'chromium',
    version: await browser.version(),
    origin,
    closed: new Promise((settle) => {
      browser.once('disconnected', () => settle());
    }),
    async open(address) {
      const page = await browser.newPage();
      await page.goto(new URL(address, `${origin}/`).href);
      return createChromiumView(page, { isPopup: false });
    },
    async openPopup() {
      const extension = (await browser.extensions()).get(id);
      const front = await frontPage(browser);
      if (!extension || !front) throw new Error('No tab to click the toolbar button in');
      const before = new Set(browser.targets());
      await front.triggerExtensionAction(extension);
      const page = await waitForPage(
        browser,
        (target) => !before.has(target) && target.url().startsWith(popups),
        'the popup',
      );
      return createChromiumView(page, { isPopup: true });
    },
    async findView(address) {
      return createChromiumView(await findPage(address), { isPopup: false });
    },
    openPages: async () => {
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
      await pollUntil(isGone, { timeout: patience, waitingFor: 'the service worker to stop' });
    },
    async installExtension(other) {
      const otherId = await browser.installExtension(resolve(other));
      return { id: otherId, origin: `chrome-extension://${otherId}` };
    },
    readConsole: () => log.read(id),
    measureWorkerHeap: () => measureWorkerHeap(browser, origin),
    async kill() {
      const gone = new Promise((settle) => browser.once('disconnected', settle));
      browser.process()?.kill('SIGKILL');
      await gone;
    },
    close: () => browser.close(),
  };
}

async function waitForPage(
  browser: Browser,
  matches: (target: Target) => boolean,
  name: string,
): Promise<Page> {
  // A popup is a target of type "other" until it has navigated to its page.
  const target = await browser
    .waitForTarget((candidate) => candidate.type() === TargetType.PAGE && matches(candidate), {
      timeout: patience,
    })
    .catch((cause: unknown) => {
      throw new Error(`Timed out after ${patience} ms waiting for ${name} to open`, { cause });
    });
  // `page()` knows tabs only, and `asPage()` on a tab makes a second, half-deaf page of it.
  const page = (await target.page()) ?? (await target.asPage());
  // Not `page.waitForFunction`: it asks once a frame, and a tab in the background has no frames.
  await pollUntil(() => page.evaluate(() => document.readyState === 'complete'), {
    timeout: patience,
    waitingFor: `${name} to load`,
  });
  return page;
}

/** Where the person finds the button at once; otherwise it hides behind the one of all extensions. */
async function pinToToolbar(extensionsPage: Page, extensionId: string): Promise<void> {
  const change = JSON.stringify({ extensionId, pinnedToToolbar: true });
  await extensionsPage.evaluate(`chrome.developerPrivate.updateExtensionConfiguration(${change})`);
}

async function frontPage(browser: Browser): Promise<Page | undefined> {
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
