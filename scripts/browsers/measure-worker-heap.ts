import { type Browser, TargetType } from 'puppeteer-core';

/** Bytes of live JavaScript objects in the extension's service worker, after a collection. A session is held meanwhile. */
export async function measureWorkerHeap(browser: Browser, origin: string): Promise<number | undefined> {
  const worker = browser
    .targets()
    .find((target) => target.type() === TargetType.SERVICE_WORKER && target.url().startsWith(`${origin}/`));
  if (worker === undefined) return undefined;

  const session = await worker.createCDPSession();
  try {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  } finally {
    await session.detach();
  }
}
