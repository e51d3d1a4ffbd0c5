import { setTimeout as sleep } from 'node:timers/promises';

/** A built extension in a real browser. A method that waits too long rejects and names the event that it waited for. */
export interface RunningExtension {
  /** Name and version that the browser reports, such as `Chrome/156.0.8078.79` or `firefox/153.7.0`. */
  readonly version: string;
  /** `chrome-extension://<id>` or `moz-extension://<uuid>`, without a slash at the end. */
  readonly origin: string;
  /** `true` if the policy of this extension may let pages load scripts from a server on this machine. Firefox 147 was the first. */
  readonly allowsLocalServer: boolean;
  /** Resolves when the browser has ended. */
  readonly closed: Promise<void>;
  /**
   * Opens a page of the extension (`src/options/index.html#about`) or any other address in a new tab in front, and waits
   * until it has loaded.
   */
  open(address: string): Promise<View>;
  /**
   * Opens the real popup, as a click on the toolbar button does, and waits until it has loaded. The popup closes when
   * another tab comes to the front.
   */
  openPopup(): Promise<View>;
  /** Waits until the extension itself has opened a tab with this address. */
  findView(address: string): Promise<View>;
  /** Addresses of the extension's pages that are open in tabs. */
  openPages(): Promise<readonly string[]>;
  isWorkerRunning(): Promise<boolean>;
  /** Sends a click on a context menu item to the background. In Chromium, the worker must be running to receive it. */
  clickMenuItem(info: MenuClick): Promise<void>;
  /** Stops the service worker or event page, as the browser does when it is idle, and waits until it has stopped. */
  stopWorker(): Promise<void>;
  /**
   * Stops the background, and starts it with the script that its folder has now. Open pages stay. It is missing in Chromium,
   * which keeps the script of a worker until the extension is installed again.
   */
  readonly restartWorker?: () => Promise<void>;
  /** Takes the network away from the background, and gives it back. In Chromium, the worker must be running. */
  interruptNetwork(): Promise<void>;
  /** Lets the extension run in private windows, as a person can in the list of extensions. Its pages close. */
  allowPrivateWindows(): Promise<void>;
  /** Turns the extension off, as a person can in the list of extensions. Its pages close. */
  disableExtension(): Promise<void>;
  /** Turns the extension on again. */
  enableExtension(): Promise<void>;
  /** Removes the extension. Its pages close. */
  removeExtension(): Promise<void>;
  /** Installs another extension, or reinstalls this one from a new build. */
  installExtension(folder: string): Promise<{ readonly origin: string }>;
  /**
   * Reinstalls this extension from its folder. Tabs with its pages stay and load their addresses again. Chromium also loads web
   * pages again, because it runs new content scripts only in pages that load later.
   */
  reinstall(folder: string): Promise<void>;
  /**
   * Removes all installed extensions with their data, closes all tabs, and installs another extension in the same
   * browser. In Chromium, the folder must not have been installed before, because a removed extension's data is deleted
   * later.
   */
  replace(extension: string): Promise<RunningExtension>;
  /** Returns the warnings, errors, exceptions and policy violations of the extension's pages and worker so far. */
  readConsole(): Promise<readonly ConsoleEntry[]>;
  /**
   * Returns the bytes of the worker's live JavaScript objects after a garbage collection. The measurement keeps the
   * worker awake. Returns `undefined` in Firefox, and if no worker runs.
   */
  measureWorkerHeap(): Promise<number | undefined>;
  /** Kills the browser's process with SIGKILL. As in a crash, it has no time to write data. */
  kill(): Promise<void>;
  /** Closes the browser. */
  readonly close: () => Promise<void>;
}

/** A tab or popup under remote control. Clicks and keys are real input events, not scripted ones. */
export interface View {
  url(): Promise<string>;
  /** Calls a function in the page. It must not refer to outer variables. Arguments and results are sent as JSON. */
  evaluate<Args extends readonly unknown[], T>(run: PageFunction<Args, T>, ...args: Args): Promise<T>;
  /** Calls a function in the page until it returns a truthy value, and returns it. Rejects with the page's text. */
  waitFor<Args extends readonly unknown[], T>(run: PageFunction<Args, T>, ...args: Args): Promise<Truthy<T>>;
  /** Runs source text, such as a library, in the page. The page's content security policy does not apply. */
  inject(source: string): Promise<void>;
  /** The page's visible text. */
  text(): Promise<string>;
  /**
   * Waits until the element exists, is enabled and is not covered, then clicks it. A click in a tab may close the popup.
   *
   * @param whileHeld called and awaited between the press and the release of the button
   */
  click(selector: string, whileHeld?: () => Promise<void>): Promise<void>;
  /** Presses keys one after the other. Names are those of `KeyboardEvent.key`, after modifiers: `Tab`, `Shift+Tab`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Changes settings, and waits until the page shows them and the transitions that they start have ended. */
  emulate(emulation: Emulation): Promise<void>;
  /** Saves the whole page, including parts that need scrolling, as a PNG. */
  screenshot(file: string): Promise<void>;
  /** Returns the bytes of the page's live JavaScript objects after a garbage collection, or `undefined` in Firefox. */
  measureHeap(): Promise<number | undefined>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

export type PageFunction<Args extends readonly unknown[], T> = (...args: Args) => T | Promise<T>;

/** Settings of a person's system or window. Omitted settings do not change. */
export interface Emulation {
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** Size of a tab's viewport in CSS px. A popup takes its size from its content and rejects this. */
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A click on a context menu item, as the browser describes it. */
export interface MenuClick {
  readonly menuItemId: string;
  readonly selectionText?: string;
  readonly pageUrl?: string;
  readonly linkUrl?: string;
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
  /** Profile folder, created if it is missing. Using a folder again means a restart of the same person's browser. */
  readonly profile: string;
  readonly headless: boolean;
  /** `true` if signals that end this process must not kill the browser. The browser is killed when this process has ended. */
  readonly outlivesSignals: boolean;
  /** Kills the browser. */
  readonly signal: AbortSignal;
}

/** Milliseconds that an action of the browser may take. The limit is long, because the machine may be busy. */
export const patience = 120_000;

/** Milliseconds that a browser may take to end before it is killed. One that hangs has held up its test already. */
export const closeLimit = 30_000;

/** Milliseconds that a person waits for the start of a browser before the command ends. Tests have more patience. */
export const startLimit = 30_000;

/** Returns the environment of a browser, which must not ask a proxy for the pages of tests. */
export function browserEnvironment(): NodeJS.ProcessEnv {
  const { no_proxy: lower, NO_PROXY: upper, ...environment } = process.env;
  const hosts = [lower ?? upper, 'localhost', '127.0.0.1', '.test', '.test.'];
  return { ...environment, no_proxy: hosts.filter(Boolean).join() };
}

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/** Milliseconds after which a wait logs the event that it waits for, long before it times out. */
const WARNING_DELAY = 10_000;

/** Calls `ask` every 25 ms until its result is truthy, and returns that result. Rejects if `ask` rejects. */
export async function pollUntil<T>(
  ask: () => Promise<T>,
  /** Completes the sentence "Timed out waiting for …". */
  waitingFor: string | (() => Promise<string>),
): Promise<Truthy<T>> {
  const describe = async (): Promise<string> => {
    if (typeof waitingFor === 'string') return waitingFor;
    // A page whose script never ends does not answer.
    return Promise.race([waitingFor(), sleep(5_000, 'a page that does not respond', { ref: false })]);
  };
  const expired = sleep(patience, EXPIRED, { ref: false });
  let warnsAt = performance.now() + WARNING_DELAY;
  for (;;) {
    const answer = await Promise.race([expired, ask()]);
    if (answer === EXPIRED) break;
    if (answer) return answer as Truthy<T>;
    await sleep(25);
    if (performance.now() < warnsAt) continue;
    warnsAt = Infinity;
    console.warn(`After ${WARNING_DELAY} ms, still waiting for ${await describe().catch(String)}`);
  }
  throw new Error(`Timed out after ${patience} ms waiting for ${await describe()}`);
}

const EXPIRED = Symbol('expired');

/** The parts of a view that differ between browsers. `createView` adds the rest. */
export interface ViewDriver extends Pick<
  View,
  'emulate' | 'screenshot' | 'measureHeap' | 'reload' | 'close'
> {
  /** Evaluates source text in the page and awaits its result, which must be a primitive value. */
  readonly run: (source: string) => Promise<unknown>;
  readonly clickAt: (point: Point, whileHeld: () => Promise<void>) => Promise<void>;
  /** Presses the keys in this order and releases them in the opposite order. */
  readonly pressTogether: (keys: readonly string[]) => Promise<void>;
}

/** A point in the viewport, in CSS px. */
interface Point {
  readonly x: number;
  readonly y: number;
}

export function createView({ run: runSource, clickAt, pressTogether, ...driver }: ViewDriver): View {
  const view: View = {
    ...driver,
    async emulate(emulation) {
      await driver.emulate(emulation);
      await view.waitFor(hasSettled, emulation);
    },
    url: () => view.evaluate(() => location.href),
    text: () => view.evaluate(() => document.body.innerText),
    evaluate: async (run, ...args) => pageResult(await runSource(pageSource(run, args))),
    async waitFor<Args extends readonly unknown[], T>(run: PageFunction<Args, T>, ...args: Args) {
      let problem = '';
      // An exception does not end the wait, because a page throws while it navigates or before it has rendered.
      const ask = (): Promise<T | undefined> =>
        view.evaluate(run, ...args).catch((error: unknown) => {
          problem = ` The last answer was: ${String(error)}`;
          return undefined;
        });
      const describe = async () => `${run.toString()}.${problem} The page says: ${await view.text()}`;
      return pollUntil<T | undefined>(ask, describe);
    },
    async inject(source) {
      await runSource(`${source}\n;undefined`);
    },
    async click(selector, whileHeld = async () => {}) {
      const point = await pollUntil(
        () => view.evaluate(findPoint, selector),
        async () => `${selector} to be clickable. The page says: ${await view.text()}`,
      );
      await clickAt(point, whileHeld);
    },
    async press(...keys) {
      for (const key of keys) await pressTogether(key === '+' ? [key] : key.split('+'));
    },
  };
  return view;
}

/** Returns the middle of an element, or `undefined` while a click there would not reach it. Runs inside the page. */
function findPoint(selector: string): Point | undefined {
  const element = document.querySelector(selector);
  if (!element || element.matches(':disabled')) return undefined;

  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  // A link on two lines has two boxes, and the middle of their common box may be outside of both.
  const box = element.getClientRects()[0];
  if (!box) return undefined;

  const x = Math.round(box.left + box.width / 2);
  const y = Math.round(box.top + box.height / 2);
  return element.contains(document.elementFromPoint(x, y)) ? { x, y } : undefined;
}

/**
 * Returns `true` if the page shows the emulated settings. Finishes the transitions that the change started, so that
 * pictures and measurements of contrast do not get intermediate colours. Runs inside the page.
 */
function hasSettled({ colorScheme, reducedMotion, forcedColors, viewport }: Emulation): boolean {
  const isMatched = (query: string, expected: boolean | undefined): boolean =>
    expected === undefined || matchMedia(query).matches === expected;
  if (colorScheme !== undefined && !isMatched(`(prefers-color-scheme: ${colorScheme})`, true)) return false;
  if (!isMatched('(prefers-reduced-motion)', reducedMotion)) return false;
  if (!isMatched('(forced-colors: active)', forcedColors)) return false;
  if (viewport && (innerWidth !== viewport.width || innerHeight !== viewport.height)) return false;

  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  for (const transition of transitions) transition.finish();
  // Forced colours are applied in two steps, and the second step starts more transitions.
  return transitions.length === 0;
}

/** Prefix for the source of a function: code that tsx compiles with esbuild's `keepNames` calls this helper. */
export const nameHelper = 'const __name = (named) => named;';

/** Returns source text that calls `run` with `args`, and evaluates to a promise of JSON for `pageResult`. */
export function pageSource<Args extends readonly unknown[], T>(
  run: PageFunction<Args, T>,
  args: Args,
): string {
  return `(async () => {
    ${nameHelper}
    return JSON.stringify({ result: await (${run.toString()})(...${JSON.stringify(args)}) });
  })()`;
}

/** Returns the value in the result of `pageSource`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the function's result
export function pageResult<T>(json: unknown): T {
  const { result } = JSON.parse(String(json)) as { result: T };
  return result;
}
