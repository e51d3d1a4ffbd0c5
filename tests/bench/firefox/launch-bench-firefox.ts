import { join } from 'node:path';

import { launchExtension } from '../../../scripts/browsers/launch-extension.ts';
import type { RunningExtension } from '../../../scripts/browsers/running-extension.ts';
import type { BenchBrowser, BenchSetup } from '../bench-browser.ts';

/** Two Firefoxes, one for each extension: the driver ends the event page of one extension only. */
export async function launchBenchFirefox(setup: BenchSetup): Promise<BenchBrowser> {
  const raw = await launch(setup, 'raw', setup.rawExtension);
  const client = await launch(setup, 'client', setup.clientExtension).catch(async (error: unknown) => {
    await raw.close();
    throw error;
  });

  return {
    version: client.version,
    raw: await raw.open('options.html'),
    recorded: await client.open('popup.html'),
    client: await client.open('options.html'),
    stopWorkers: async () => {
      await Promise.all([raw.stopWorker(), client.stopWorker()]);
    },
    measureHeaps: undefined,
    close: async () => {
      await Promise.all([raw.close(), client.close()]);
    },
  };
}

function launch({ profile }: BenchSetup, name: string, extension: string): Promise<RunningExtension> {
  return launchExtension('firefox', extension, { profile: join(profile, name) });
}
