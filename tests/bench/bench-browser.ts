import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { BrowserName } from '../../scripts/browsers/find-browser.ts';
import { ensureBrowser } from '../../scripts/browsers/find-browser.ts';
import { launchExtension } from '../../scripts/browsers/launch-extension.ts';
import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import type { View } from '../../scripts/browsers/running-extension.ts';
import { type BenchChromium, evaluateIn, launchBenchChromium } from './chromium.ts';

/** A browser with both extensions, for the scenarios to run in. */
export interface BenchBrowser {
  /** What the browser calls itself. */
  readonly version: string;
  /** A page of the extension over the browser's own API. */
  readonly raw: BenchPage;
  /** A page of the extension over the core. */
  readonly client: BenchPage;
  /** Another page of that extension, whose server has a recorder that is off. */
  readonly recorded: BenchPage;
  /** Ends the workers of both extensions, as the browser does with idle ones. */
  readonly stopWorkers: () => Promise<void>;
  /** Bytes that the client's page and worker hold after a forced collection, where the browser reports them. */
  readonly measureHeaps?: () => Promise<Heaps>;
  readonly close: () => Promise<void>;
}

export type BenchPage = Pick<View, 'evaluate'>;

export interface Heaps {
  readonly page: number;
  readonly worker: number;
}

interface BenchSetup {
  /** Folders of the two built extensions. */
  readonly raw: string;
  readonly client: string;
  /** Folder for the profile. */
  readonly profile: string;
  /**
   * Whether the raw extension's page is opened first, in Chromium. With a megabyte in a message the first one is slower by
   * some 5 %.
   */
  readonly isRawFirst: boolean;
}

export async function launchBenchBrowser(browser: BrowserName, setup: BenchSetup): Promise<BenchBrowser> {
  if (browser === 'firefox') return launchFirefoxes(setup);

  const chromium = await launchBenchChromium(await ensureBrowser('chromium'), setup.profile);
  try {
    return await install(chromium, setup);
  } catch (error) {
    await chromium.close();
    throw error;
  }
}

/** One Chromium with both extensions, each in a process of its own, as the browser has it. */
async function install(chromium: BenchChromium, setup: BenchSetup): Promise<BenchBrowser> {
  const raw = await chromium.install(setup.raw);
  const client = await chromium.install(setup.client);
  const open = async (id: string, page: string): Promise<ChromiumPage> => {
    const url = `chrome-extension://${id}/${page}`;
    const targetId = await chromium.openWindow(url);
    const session = await chromium.attach(targetId);
    const opened: ChromiumPage = {
      targetId,
      evaluate: (run, ...args) => evaluateIn(session, run, ...args),
    };
    const isReady = (): Promise<boolean> =>
      opened.evaluate(() => document.title === 'ready').catch(() => false);
    await pollUntil(isReady, `${url} to load`);
    return opened;
  };
  const earlyRaw = setup.isRawFirst ? await open(raw, 'options.html') : undefined;
  const clientPage = await open(client, 'options.html');

  return {
    version: chromium.version,
    raw: earlyRaw ?? (await open(raw, 'options.html')),
    client: clientPage,
    recorded: await open(client, 'popup.html'),
    async stopWorkers() {
      await Promise.all([chromium.stopWorker(raw), chromium.stopWorker(client)]);
    },
    measureHeaps: async () => ({
      page: await measureHeap(chromium, clientPage.targetId),
      worker: await measureHeap(chromium, (await chromium.findWorker(client)) ?? ''),
    }),
    close: chromium.close,
  };
}

interface ChromiumPage extends BenchPage {
  readonly targetId: string;
}

/** Bytes in use after a forced collection. */
async function measureHeap(chromium: BenchChromium, targetId: string): Promise<number> {
  const session = await chromium.attach(targetId);
  try {
    // What has a finalizer goes only with the collection after it ran.
    for (let times = 0; times < 3; times += 1) {
      await session.send('HeapProfiler.collectGarbage');
      await sleep(100);
    }
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  } finally {
    await session.detach();
  }
}

/** Two Firefoxes, one for each extension: the driver ends the event page of one extension only. */
async function launchFirefoxes({ raw: rawFolder, client: clientFolder, profile }: BenchSetup) {
  const raw = await launchExtension('firefox', rawFolder, { profile: join(profile, 'raw') });
  const clientProfile = join(profile, 'client');
  const client = await launchExtension('firefox', clientFolder, { profile: clientProfile }).catch(
    async (error: unknown) => {
      await raw.close();
      throw error;
    },
  );

  return {
    version: client.version,
    raw: await raw.open('options.html'),
    recorded: await client.open('popup.html'),
    client: await client.open('options.html'),
    async stopWorkers() {
      await Promise.all([raw.stopWorker(), client.stopWorker()]);
    },
    async close() {
      await Promise.all([raw.close(), client.close()]);
    },
  };
}
