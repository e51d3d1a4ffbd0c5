import type { PageFunction } from '../../scripts/browsers/running-extension.ts';

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
  /** Bytes that the client's page and worker hold after a forced collection, where the browser can tell. */
  readonly measureHeaps: (() => Promise<Heaps>) | undefined;
  readonly close: () => Promise<void>;
}

export interface BenchPage {
  /** As a view's. */
  readonly evaluate: <Args extends readonly unknown[], T>(
    run: PageFunction<Args, T>,
    ...args: Args
  ) => Promise<T>;
}

export interface Heaps {
  readonly page: number;
  readonly worker: number;
}

/** Folders of the two built extensions, and where profiles may be made. */
export interface BenchSetup {
  readonly executable: string;
  readonly rawExtension: string;
  readonly clientExtension: string;
  readonly profile: string;
}
