import { launch } from '@puppeteer/browsers';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type CDPSession, Connection } from 'puppeteer-core';
import { PipeTransport } from 'puppeteer-core/internal/node/PipeTransport.js';

import { chromiumArgs, findWorker, measureHeap, stopWorker } from '../../scripts/browsers/chromium.ts';
import { type BrowserName, ensureBrowser } from '../../scripts/browsers/find-browser.ts';
import { launchExtension } from '../../scripts/browsers/launch-extension.ts';
import {
  pageResult,
  pageSource,
  patience,
  pollUntil,
  type RunningExtension,
  type View,
} from '../../scripts/browsers/running-extension.ts';

/** A browser with a new profile, for measurements. */
export interface BenchBrowser {
  /** In Firefox, only one extension can be installed. */
  install(folder: string): Promise<BenchExtension>;
  /** CPU time that the browser and its pages and backgrounds have used so far, in ms. Firefox does not report it. */
  readonly cpuTime?: () => Promise<number>;
  close(): Promise<unknown>;
}

export interface BenchExtension extends Pick<RunningExtension, 'isWorkerRunning' | 'stopWorker'> {
  open(address: string): Promise<BenchPage>;
  /** Returns the bytes of the background's live objects. Firefox does not report them. */
  readonly measureHeap?: () => Promise<number>;
}

export type BenchPage = Pick<View, 'close' | 'evaluate'>;

export const launchers: Readonly<Record<BrowserName, () => Promise<BenchBrowser>>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
};

/** Opens the page of an extension, and waits until it can be measured. */
export async function openReady(extension: BenchExtension): Promise<BenchPage> {
  const page = await extension.open('options.html');
  const isReady = (): Promise<boolean> =>
    page.evaluate(() => globalThis.document.title === 'ready').catch(() => false);
  await pollUntil(isReady, 'the page to load');
  return page;
}

async function launchFirefox(): Promise<BenchBrowser> {
  let running: RunningExtension | undefined;
  return {
    install: async (folder) => {
      running = await launchExtension('firefox', folder);
      console.log(running.version);
      return running;
    },
    close: async () => running?.close(),
  };
}

/**
 * Starts Chromium and controls it over a pipe, because only there it installs extensions. Puppeteer itself is not used: it
 * attaches to workers, and an attached worker starts later and never sleeps.
 */
async function launchChromium(): Promise<BenchBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'bench-profile-'));
  const executablePath = await ensureBrowser('chromium');
  const args = ['--remote-debugging-pipe', `--user-data-dir=${profile}`, ...chromiumArgs, ...benchArgs];
  const chromium = launch({ executablePath, pipe: true, args });
  type Stdio = [stdin: null, stdout: null, stderr: null, commands: Writable, events: Readable];
  const [, , , commands, events] = chromium.nodeProcess.stdio as unknown as Stdio;
  const cdp = new Connection('', new PipeTransport(commands, events), 0, patience);
  console.log((await cdp.send('Browser.getVersion')).product);

  return {
    async install(path) {
      const { id } = await cdp.send('Extensions.loadUnpacked', { path });
      const origin = `chrome-extension://${id}`;
      return {
        open: (address) => openWindow(cdp, `${origin}/${address}`),
        isWorkerRunning: async () => (await findWorker(cdp, origin)) !== undefined,
        stopWorker: () => stopWorker(cdp, origin),
        async measureHeap() {
          const session = await attach(cdp, (await findWorker(cdp, origin)) ?? '');
          const size = await measureHeap(session);
          await session.detach();
          return size;
        },
      };
    },
    async cpuTime() {
      const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
      const counted = processInfo.filter(({ type }) => type === 'browser' || type === 'renderer');
      return 1_000 * counted.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    },
    async close() {
      await cdp.send('Browser.close').catch(() => undefined);
      await chromium.hasClosed();
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Opens a page in a new window. It is attached to only for its first call, because a debugger slows down its start. */
async function openWindow(cdp: Connection, url: string): Promise<BenchPage> {
  const { targetId } = await cdp.send('Target.createTarget', { url, newWindow: true });
  let attached: Promise<CDPSession> | undefined;
  const session = (): Promise<CDPSession> => (attached ??= attach(cdp, targetId));
  return {
    async evaluate(run, ...args) {
      const call = { expression: pageSource(run, args), awaitPromise: true };
      const { result, exceptionDetails } = await (await session()).send('Runtime.evaluate', call);
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return pageResult(result.value);
    },
    async close() {
      await cdp.send('Target.closeTarget', { targetId });
    },
  };
}

async function attach(cdp: Connection, targetId: string): Promise<CDPSession> {
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  const session = cdp.session(sessionId);
  if (session === null) throw new Error(`There is no session with ${targetId}`);
  return session;
}

const benchArgs = [
  '--headless=new',
  '--disable-gpu',
  '--enable-unsafe-extension-debugging',
  // Otherwise each new window loads the pages of its address bar while the page is measured.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup',
  // Pages in the background must be treated like the page in front.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  // This is the smallest possible window. A window with another size may be resized after its page was painted.
  '--window-size=500,700',
  'about:blank',
];
