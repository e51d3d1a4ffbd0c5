import type { Process } from '@puppeteer/browsers';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolve } from 'node:path';

import type { BidiConnection } from './bidi-connection.ts';
import { type FirefoxChromeScope, openFirefoxChromeScope } from './firefox-chrome-scope.ts';
import { collectFirefoxConsole } from './firefox-console.ts';
import type { FirefoxWindow } from './firefox-internals.ts';
import { openFirefoxPopup, pinFirefoxAction } from './firefox-popup.ts';
import { createFirefoxView } from './firefox-view.ts';
import { patience } from './patience.ts';
import { pollUntil } from './poll-until.ts';
import { readExtensionManifest } from './read-extension-manifest.ts';
import type { InstalledExtension, LaunchOptions, RunningExtension } from './running-extension.ts';
import { startFirefox } from './start-firefox.ts';
import type { View } from './view.ts';
import { waitUntilLoaded } from './wait-until-loaded.ts';

declare const WebExtensionPolicy: FirefoxWindow['WebExtensionPolicy'];

/** Firefox would make up an address for every profile; with this one the origin is known before the installation. */
const uuid = '6f1c1f6e-5a4b-4d8a-9d0e-6e696e657074';

/** Starts Firefox with the extension in it, as a temporary add-on: only those need no signature. */
export async function launchFirefox(options: LaunchOptions): Promise<RunningExtension> {
  const { geckoId } = await readExtensionManifest(options.extension);
  const { process: firefox, connection } = await startFirefox(options, {
    'extensions.webextensions.uuids': JSON.stringify({ [geckoId]: uuid }),
    // Temporary add-ons are uninstalled when Firefox ends; what they stored is to be there after a restart.
    'extensions.webextensions.keepStorageOnUninstall': true,
    'extensions.webextensions.keepUuidOnUninstall': true,
  });
  try {
    return await install(firefox, connection, options.extension, geckoId);
  } catch (error) {
    await firefox.close();
    throw error;
  }
}

async function install(
  firefox: Process,
  connection: BidiConnection,
  folder: string,
  id: string,
): Promise<RunningExtension> {
  const { capabilities } = (await connection.send('session.new', { capabilities: {} })) as {
    capabilities: { browserName: string; browserVersion: string };
  };
  const chrome = await openFirefoxChromeScope(connection);
  const origin = `moz-extension://${uuid}`;
  const readConsole = await collectFirefoxConsole(chrome, { id, origin });
  await installFolder(connection, chrome, folder);
  await pinFirefoxAction(chrome, id);

  const viewOf = (context: string): View =>
    createFirefoxView({ connection, chrome, context, isPopup: false });
  const backgroundState = (): Promise<string | undefined> =>
    chrome((addonId) => WebExtensionPolicy.getByID(addonId)?.extension.backgroundState, id);

  return {
    browser: 'firefox',
    version: `${capabilities.browserName}/${capabilities.browserVersion}`,
    origin,
    closed: firefox.hasClosed(),
    async open(address) {
      const { context } = (await connection.send('browsingContext.create', { type: 'tab' })) as {
        context: string;
      };
      const url = new URL(address, `${origin}/`).href;
      await connection.send('browsingContext.navigate', { context, url, wait: 'none' });
      await waitUntilLoaded(connection, context, `location.href !== 'about:blank'`);
      return viewOf(context);
    },
    async openPopup() {
      const context = await openFirefoxPopup(chrome, id);
      await waitUntilLoaded(connection, context, `location.href !== 'about:blank'`);
      return createFirefoxView({ connection, chrome, context, isPopup: true });
    },
    async findView(address) {
      const { href } = new URL(address, `${origin}/`);
      const findTab = async (): Promise<Tab | undefined> =>
        (await listTabs(connection)).find(({ url }) => url === href);
      const tab = await pollUntil(findTab, { timeout: patience, waitingFor: `${href} to open` });
      await waitUntilLoaded(connection, tab.context, 'true');
      return viewOf(tab.context);
    },
    openPages: async () => {
      const urls = (await listTabs(connection)).map(({ url }) => url);
      return urls.filter((url) => url.startsWith(`${origin}/`));
    },
    isWorkerRunning: async () => (await backgroundState()) !== 'stopped',
    async stopWorker() {
      // Settles when the event page is gone. To look for it then would be too late: a page may have started the next.
      await chrome(async (addonId) => {
        await WebExtensionPolicy.getByID(addonId)?.extension.terminateBackground({
          ignoreDevToolsAttached: true,
          disableResetIdleForTest: true,
        });
      }, id);
    },
    installExtension: (other) => installFolder(connection, chrome, other),
    readConsole,
    measureWorkerHeap: async () => undefined,
    async kill() {
      firefox.nodeProcess.kill('SIGKILL');
      await firefox.hasClosed();
    },
    async close() {
      // Firefox may end before it has answered; that it ends is what counts.
      await connection.send('browser.close', {}).catch(() => undefined);
      await Promise.race([firefox.hasClosed(), sleep(patience, undefined, { ref: false })]);
      await firefox.close();
    },
  };
}

async function installFolder(
  connection: BidiConnection,
  chrome: FirefoxChromeScope,
  folder: string,
): Promise<InstalledExtension> {
  const isFolder = (await stat(folder)).isDirectory();
  const extensionData = { type: isFolder ? 'path' : 'archivePath', path: resolve(folder) };
  const { extension: id } = (await connection.send('webExtension.install', { extensionData })) as {
    extension: string;
  };
  const host = await chrome((addonId) => WebExtensionPolicy.getByID(addonId)?.mozExtensionHostname, id);
  return { id, origin: `moz-extension://${host}` };
}

interface Tab {
  /** BiDi's id. */
  readonly context: string;
  readonly url: string;
}

async function listTabs(connection: BidiConnection): Promise<readonly Tab[]> {
  const { contexts } = (await connection.send('browsingContext.getTree', {})) as {
    contexts: readonly Tab[];
  };
  return contexts;
}
