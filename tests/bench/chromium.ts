import { launch } from '@puppeteer/browsers';
import type { Readable, Writable } from 'node:stream';
import { type CDPSession, Connection } from 'puppeteer-core';
import { PipeTransport } from 'puppeteer-core/internal/node/PipeTransport.js';

import {
  pageResult,
  pageSource,
  type PageFunction,
  patience,
  pollUntil,
} from '../../scripts/browsers/running-extension.ts';

/** A Chromium to be measured. Nothing is attached to a worker: an attached one starts later and never sleeps. */
export interface BenchChromium {
  /** What the browser calls itself. */
  readonly version: string;
  /** Installs an extension and gives its id. */
  readonly install: (folder: string) => Promise<string>;
  /** Opens a page in a window of its own and gives its target's id. */
  readonly openWindow: (url: string) => Promise<string>;
  /** Opens a session with a target, which lasts until it is detached or the target is closed. */
  readonly attach: (targetId: string) => Promise<CDPSession>;
  readonly closeTarget: (targetId: string) => Promise<void>;
  /** The target of an extension's worker; `undefined` when it does not run. */
  readonly findWorker: (extensionId: string) => Promise<string | undefined>;
  /** Ends an extension's worker, as the browser does with an idle one, and waits until it is gone. */
  readonly stopWorker: (extensionId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts Chromium and speaks to it over a pipe, on which alone it takes extensions. Puppeteer itself attaches to all. */
export async function launchBenchChromium(executablePath: string, profile: string): Promise<BenchChromium> {
  const chromium = launch({ executablePath, pipe: true, args: chromiumArgs(profile) });
  const [, , , input, output] = chromium.nodeProcess.stdio as unknown as [
    null,
    null,
    null,
    Writable,
    Readable,
  ];
  const cdp = new Connection('', new PipeTransport(input, output), 0, patience);
  const { product: version } = await cdp.send('Browser.getVersion');

  const browser: BenchChromium = {
    version,
    install: async (path) => (await cdp.send('Extensions.loadUnpacked', { path })).id,
    openWindow: async (url) => (await cdp.send('Target.createTarget', { url, newWindow: true })).targetId,
    async attach(targetId) {
      const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
      const session = cdp.session(sessionId);
      if (session === null) throw new Error(`There is no session with ${targetId}`);
      return session;
    },
    async closeTarget(targetId) {
      await cdp.send('Target.closeTarget', { targetId });
    },
    async findWorker(extensionId) {
      const { targetInfos } = await cdp.send('Target.getTargets');
      const isWorker = ({ type, url }: (typeof targetInfos)[number]): boolean =>
        type === 'service_worker' && url.startsWith(`chrome-extension://${extensionId}/`);
      return targetInfos.find(isWorker)?.targetId;
    },
    async stopWorker(extensionId) {
      const targetId = await browser.findWorker(extensionId);
      if (targetId === undefined) return;
      const isGone = async (): Promise<boolean> => {
        await browser.closeTarget(targetId).catch(() => undefined);
        return (await browser.findWorker(extensionId)) !== targetId;
      };
      await pollUntil(isGone, 'the service worker to stop');
    },
    async close() {
      await cdp.send('Browser.close').catch(() => undefined);
      await chromium.hasClosed();
    },
  };
  return browser;
}

/** Calls a function in the page. It must not refer to anything outside itself. */
export async function evaluateIn<Args extends readonly unknown[], T>(
  session: CDPSession,
  run: PageFunction<Args, T>,
  ...args: Args
): Promise<T> {
  const expression = pageSource(run, args);
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
  });
  if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
  return pageResult(result.value);
}

/** For a Chromium that does nothing of its own while it is measured. */
function chromiumArgs(profile: string): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--headless=new',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--disable-sync',
    '--no-first-run',
    '--enable-unsafe-extension-debugging',
    '--enable-benchmarking-api',
    // Every new window would load the pages of its own address bar while the page is measured.
    '--disable-features=WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup',
    // Both extensions' pages are to be treated as the one in front is.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    // No narrower window is to be had, and a page may be painted before a new one has got another size than this.
    '--window-size=500,700',
    'about:blank',
  ];
}
