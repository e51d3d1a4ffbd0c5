import { setTimeout as sleep } from 'node:timers/promises';

import { pageResult, pageSource } from '../../../scripts/browsers/running-extension.ts';
import { attach } from '../chromium/attach.ts';
import { openCdpPipe } from '../chromium/cdp-pipe.ts';
import type { CdpPipe } from '../chromium/cdp-pipe.ts';
import { chromiumArgs } from '../chromium/chromium-args.ts';
import { findWorker } from '../chromium/find-worker.ts';
import { stopWorker } from '../chromium/stop-worker.ts';
import type { PageExtension } from './page-extension.ts';
import type { PageLoad } from './page-load.ts';

export type WorkerState = 'cold' | 'warm';

/** A Chromium whose popups' pages are opened in windows of their own. No debugger is attached to any worker. */
export interface PageBrowser {
  readonly version: string;
  readonly install: (extension: PageExtension) => Promise<string>;
  /** Opens the page with its worker ended or running, waits until all of it is there, and closes it. */
  readonly load: (id: string, extension: PageExtension, state: WorkerState) => Promise<PageLoad>;
  readonly close: () => Promise<void>;
}

/** Milliseconds for the browser to be done with what it does after the end of a page or a worker. */
const REST = 150;

export async function launchPageBrowser(executable: string, profile: string): Promise<PageBrowser> {
  const cdp = openCdpPipe(executable, chromiumArgs(profile));
  const { product } = await cdp.send<{ product: string }>('Browser.getVersion');

  return {
    version: product,
    install: async ({ folder }) =>
      (await cdp.send<{ id: string }>('Extensions.loadUnpacked', { path: folder })).id,
    load: async (id, { page, waker }, state) => {
      if (state === 'cold') await stopWorker(cdp, id);
      else if ((await findWorker(cdp, id)) === '') await open(cdp, id, waker, true);
      await sleep(REST);
      return open(cdp, id, page, page === waker);
    },
    close: cdp.close,
  };
}

async function open(cdp: CdpPipe, id: string, path: string, hasData: boolean): Promise<PageLoad> {
  const url = `chrome-extension://${id}/${path}`;
  const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', {
    url,
    newWindow: true,
  });
  // Nothing listens while the page starts: a debugger in it would slow that down.
  await sleep(2 * REST);
  const sessionId = await attach(cdp, targetId);
  try {
    const { result } = await cdp.send<{ readonly result: { readonly value?: unknown } }>(
      'Runtime.evaluate',
      { expression: pageSource(readLoad, [hasData]), awaitPromise: true },
      sessionId,
    );
    return pageResult<PageLoad>(result.value);
  } finally {
    await cdp.send('Target.closeTarget', { targetId });
  }
}

async function readLoad(hasData: boolean): Promise<PageLoad> {
  const find = (name: string): number | undefined => performance.getEntriesByName(name)[0]?.startTime;
  const isThere = (): boolean =>
    document.readyState === 'complete' &&
    (find('first-contentful-paint') ?? find('first-data')) !== undefined &&
    (!hasData || find('first-data') !== undefined);
  while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 10));

  const shift = await new Promise<number>((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 20);
  });
  return {
    paint: find('first-contentful-paint') ?? 0,
    data: find('first-data') ?? 0,
    shift,
  };
}
