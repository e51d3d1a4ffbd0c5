import { setTimeout as sleep } from 'node:timers/promises';

import { pageResult, pageSource, pollUntil } from '../../../scripts/browsers/running-extension.ts';
import type { BenchBrowser, BenchPage, BenchSetup } from '../bench-browser.ts';
import { attach } from './attach.ts';
import { openCdpPipe } from './cdp-pipe.ts';
import type { CdpPipe } from './cdp-pipe.ts';
import { chromiumArgs } from './chromium-args.ts';
import { findWorker } from './find-worker.ts';
import { stopWorker } from './stop-worker.ts';

/**
 * One Chromium with both extensions, each in a process of its own, as the browser has it.
 *
 * @param isRawFirst whose page is opened first: with a megabyte in a message that one is slower by some 5 %
 */
export async function launchBenchChromium(setup: BenchSetup, isRawFirst: boolean): Promise<BenchBrowser> {
  const cdp = openCdpPipe(setup.executable, chromiumArgs(setup.profile));
  try {
    return await install(cdp, setup, isRawFirst);
  } catch (error) {
    await cdp.close();
    throw error;
  }
}

async function install(cdp: CdpPipe, setup: BenchSetup, isRawFirst: boolean): Promise<BenchBrowser> {
  const { product } = await cdp.send<{ product: string }>('Browser.getVersion');
  const raw = await cdp.send<{ id: string }>('Extensions.loadUnpacked', { path: setup.rawExtension });
  const client = await cdp.send<{ id: string }>('Extensions.loadUnpacked', { path: setup.clientExtension });
  const [one, other] = isRawFirst ? [raw, client] : [client, raw];
  const first = await openPage(cdp, `chrome-extension://${one.id}/options.html`);
  const second = await openPage(cdp, `chrome-extension://${other.id}/options.html`);
  const [rawPage, clientPage] = isRawFirst ? [first, second] : [second, first];

  return {
    version: product,
    raw: rawPage,
    client: clientPage,
    recorded: await openPage(cdp, `chrome-extension://${client.id}/popup.html`),
    stopWorkers: async () => {
      await Promise.all([stopWorker(cdp, raw.id), stopWorker(cdp, client.id)]);
    },
    measureHeaps: async () => ({
      page: await measureHeap(cdp, clientPage.targetId),
      worker: await measureHeap(cdp, await findWorker(cdp, client.id)),
    }),
    close: cdp.close,
  };
}

interface ChromiumPage extends BenchPage {
  readonly targetId: string;
}

async function openPage(cdp: CdpPipe, url: string): Promise<ChromiumPage> {
  const { targetId } = await cdp.send<{ targetId: string }>('Target.createTarget', { url, newWindow: true });
  const sessionId = await attach(cdp, targetId);
  const page: ChromiumPage = {
    targetId,
    evaluate: async (run, ...args) => {
      const { result, exceptionDetails } = await cdp.send<Evaluated>(
        'Runtime.evaluate',
        { expression: pageSource(run, args), awaitPromise: true },
        sessionId,
      );
      if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
      return pageResult(result.value);
    },
  };
  await pollUntil(() => page.evaluate(() => document.title === 'ready').catch(() => false), `${url} to load`);
  return page;
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: object;
}

/** Bytes in use after a forced collection. */
async function measureHeap(cdp: CdpPipe, targetId: string): Promise<number> {
  const sessionId = await attach(cdp, targetId);
  try {
    // What has a finalizer goes only with the collection after it ran.
    for (let times = 0; times < 3; times += 1) {
      await cdp.send('HeapProfiler.collectGarbage', {}, sessionId);
      await sleep(100);
    }
    const { usedSize } = await cdp.send<{ usedSize: number }>('Runtime.getHeapUsage', {}, sessionId);
    return usedSize;
  } finally {
    await cdp.send('Target.detachFromTarget', { sessionId });
  }
}
