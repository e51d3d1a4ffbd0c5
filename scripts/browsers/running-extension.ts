import type { BrowserName } from './browser-name.ts';
import type { View } from './view.ts';

/**
 * A built extension that runs in a real browser. Every wait is bounded; whatever goes wrong rejects with a
 * sentence that names what was being waited for.
 */
export interface RunningExtension {
  readonly browser: BrowserName;
  /** What the browser calls itself, e.g. `Chrome/156.0.8078.79` or `firefox/153.7.0`. */
  readonly version: string;
  /** `chrome-extension://<id>` or `moz-extension://<uuid>`, without a slash at the end. */
  readonly origin: string;
  /** Settles when the browser is gone, be it by `close` or by the person who closed its last window. */
  readonly closed: Promise<void>;
  /** Opens a tab in front, on a page of the extension (`src/options/index.html#about`) or on any address, and waits until it has loaded. */
  open(address: string): Promise<View>;
  /** Opens the real popup, as a click on the toolbar icon does, and waits until it has loaded. It closes when another tab comes to the front. */
  openPopup(): Promise<View>;
  /** The tab in which the extension itself opened that page, waited for up to 30 s. */
  findView(address: string): Promise<View>;
  /** Addresses of the extension's pages that are open in tabs. */
  openPages(): Promise<readonly string[]>;
  isWorkerRunning(): Promise<boolean>;
  /** Ends the service worker or event page, as the browser does with an idle one, and waits until it is gone. */
  stopWorker(): Promise<void>;
  /** Installs another extension, or this one again from a new build. */
  installExtension(folder: string): Promise<InstalledExtension>;
  /** What the extension's pages and worker have written to the console so far: warnings, errors, uncaught exceptions, policy violations. */
  readConsole(): Promise<readonly ConsoleEntry[]>;
  /**
   * Bytes that the worker's JavaScript objects take up after a collection of garbage. `undefined` when none runs, and in
   * Firefox, which can be asked for no such figure. For the moment of the measurement the worker is held awake.
   */
  measureWorkerHeap(): Promise<number | undefined>;
  /** Kills the browser's process (SIGKILL), as a crash or the system does: it has no time to write anything down. */
  kill(): Promise<void>;
  /** Ends the browser. The profile folder stays, for whoever made it. */
  readonly close: () => Promise<void>;
}

export interface InstalledExtension {
  readonly id: string;
  readonly origin: string;
}

export interface ConsoleEntry {
  readonly level: 'warning' | 'error';
  readonly text: string;
  /** Address of the script or page that wrote it. */
  readonly source: string;
}

export interface LaunchOptions {
  /** The browser's executable. */
  readonly executable: string;
  /** Folder of the built extension; Firefox also takes its zip. */
  readonly extension: string;
  /** Profile folder, created when it is missing. The same folder again is the same person in a restarted browser. */
  readonly profile: string;
  readonly headless: boolean;
  /** Whether SIGINT, SIGTERM and SIGHUP kill the browser and end this process. `false` for a caller with an orderly end of its own. */
  readonly exitOnSignal: boolean;
}
