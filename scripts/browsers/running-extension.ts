import { setTimeout as sleep } from 'node:timers/promises';

/** A built extension that runs in a real browser. A wait that ends without its event rejects with what it waited for. */
export interface RunningExtension {
  /** Name and version of the browser, as it reports them, e.g. `Chrome/156.0.8078.79` or `firefox/153.7.0`. */
  readonly version: string;
  /** `chrome-extension://<id>` or `moz-extension://<uuid>`, without a slash at the end. */
  readonly origin: string;
  /** Resolves when the browser has ended, by `close` or because a person closed its last window. */
  readonly closed: Promise<void>;
  /** Opens a tab in front, on a page of the extension (`src/options/index.html#about`) or on any address, and waits until it has loaded. */
  open(address: string): Promise<View>;
  /** Opens the real popup, as a click on the toolbar icon does, and waits until it has loaded. It closes when another tab comes to the front. */
  openPopup(): Promise<View>;
  /** Waits for the tab in which the extension itself opened that page. */
  findView(address: string): Promise<View>;
  /** Addresses of the extension's pages that are open in tabs. */
  openPages(): Promise<readonly string[]>;
  isWorkerRunning(): Promise<boolean>;
  /** Gives the background a click on a context menu's item. Chromium's has to be awake: its event is given to the worker itself. */
  clickMenuItem(info: { readonly menuItemId: string; readonly selectionText: string }): Promise<void>;
  /** Ends the service worker or event page, as the browser does with an idle one, and waits until it is gone. */
  stopWorker(): Promise<void>;
  /** Installs another extension, or this one again from a new build. */
  installExtension(folder: string): Promise<{ readonly origin: string }>;
  /**
   * Removes the extension with what it has stored, others that were installed, and all tabs, and installs another in the
   * same browser. In Chromium its folder must not have been installed there before: data is deleted some time later.
   */
  replace(extension: string): Promise<RunningExtension>;
  /** Messages that the extension's pages and worker have written to the console so far: warnings, errors, uncaught exceptions, policy violations. */
  readConsole(): Promise<readonly ConsoleEntry[]>;
  /** Bytes of the worker's live JavaScript objects, after a collection, for which it is held awake. `undefined` in Firefox, and when none runs. */
  measureWorkerHeap(): Promise<number | undefined>;
  /** Kills the browser's process (SIGKILL), as a crash or the system does: it has no time to write anything down. */
  kill(): Promise<void>;
  /** Ends the browser. */
  readonly close: () => Promise<void>;
}

/** A tab or popup under remote control. Clicks and keys are real input events, not scripted ones. */
export interface View {
  url(): Promise<string>;
  /** Calls a function in the page. It must not refer to anything outside itself; arguments and result travel as JSON. */
  evaluate<Args extends readonly unknown[], T>(run: PageFunction<Args, T>, ...args: Args): Promise<T>;
  /** Calls a function in the page until it returns something truthy, and returns that. Rejects with the page's text. */
  waitFor<Args extends readonly unknown[], T>(run: PageFunction<Args, T>, ...args: Args): Promise<Truthy<T>>;
  /** Runs source text (of a library, say) in the page, whatever the page's content security policy. */
  inject(source: string): Promise<void>;
  /** The page's visible text. */
  text(): Promise<string>;
  /**
   * Waits until a point of the element can be hit (there, enabled, not covered), then clicks it. A click in a tab may close the popup.
   *
   * @param whileHeld awaited between the press and the release of the button
   */
  click(selector: string, whileHeld?: () => Promise<void>): Promise<void>;
  /** Presses keys one after the other, each named as in `KeyboardEvent.key`, with modifiers in front: `Tab`, `Shift+Tab`, `a`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Waits until the page shows it, with the transitions that it set off at their end. */
  emulate(emulation: Emulation): Promise<void>;
  /** Saves the whole page, including parts that need scrolling, as a PNG. */
  screenshot(file: string): Promise<void>;
  /** Bytes of the page's live JavaScript objects, after a collection. `undefined` in Firefox, which does not report it. */
  measureHeap(): Promise<number | undefined>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

export type PageFunction<Args extends readonly unknown[], T> = (...args: Args) => T | Promise<T>;

/** Settings of a person's system or window. Those that are left out stay as they are. */
export interface Emulation {
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** Size of a tab's viewport in CSS px. A popup takes its size from its content and rejects this. */
  readonly viewport?: { readonly width: number; readonly height: number };
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
}

/** Milliseconds that an action of the browser may take: long, as the machine may do other work at the same time. */
export const patience = 120_000;

type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;

/** Milliseconds after which a wait says what it waits for, long before it gives up. */
const SILENCE = 10_000;

/** Asks every 25 ms until the answer is truthy, and returns that answer. An `ask` that rejects ends the wait. */
export async function pollUntil<T>(
  ask: () => Promise<T>,
  /** Completes the sentence "Timed out waiting for …". */
  waitingFor: string | (() => Promise<string>),
): Promise<Truthy<T>> {
  const describe = async (): Promise<string> => (typeof waitingFor === 'string' ? waitingFor : waitingFor());
  const expired = sleep(patience, EXPIRED, { ref: false });
  let speaksAt = performance.now() + SILENCE;
  for (;;) {
    const answer = await Promise.race([expired, ask()]);
    if (answer === EXPIRED) break;
    if (answer) return answer as Truthy<T>;
    await sleep(25);
    if (performance.now() < speaksAt) continue;
    speaksAt = Infinity;
    console.warn(`After ${SILENCE} ms still waiting for ${await describe().catch(String)}`);
  }
  throw new Error(`Timed out after ${patience} ms waiting for ${await describe()}`);
}

const EXPIRED = Symbol('expired');

/** The parts of a view that differ between browsers. `createView` builds the rest on them. */
export interface ViewDriver extends Pick<
  View,
  'emulate' | 'screenshot' | 'measureHeap' | 'reload' | 'close'
> {
  /** Evaluates source text in the page and awaits the result, a primitive value. */
  readonly run: (source: string) => Promise<unknown>;
  readonly clickAt: (point: Point, whileHeld: () => Promise<void>) => Promise<void>;
  /** Presses the keys down in this order and lets them go in the opposite order. */
  readonly pressTogether: (keys: readonly string[]) => Promise<void>;
}

/** In CSS px of the viewport. */
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
      // A page that is just being replaced, or has not rendered yet, answers with an exception: not an end of the wait.
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

/** The middle of an element, or `undefined` while a click there would not reach it. Runs inside the page. */
function findPoint(selector: string): Point | undefined {
  const element = document.querySelector(selector);
  if (!element || element.matches(':disabled')) return undefined;

  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  // A link that wraps over two lines has two boxes, and the middle of both together may belong to neither.
  const box = element.getClientRects()[0];
  if (!box) return undefined;

  const x = Math.round(box.left + box.width / 2);
  const y = Math.round(box.top + box.height / 2);
  return element.contains(document.elementFromPoint(x, y)) ? { x, y } : undefined;
}

/**
 * Returns `true` if the page already shows what is emulated. Transitions that the change has set off are brought to their end, so
 * that a picture or a measurement of contrast does not catch colours halfway. Runs inside the page.
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
  // Forced colours come in two steps, and the second sets off transitions of its own.
  return transitions.length === 0;
}

/** Goes in front of a function's source: tsx compiles with esbuild's `keepNames`, which calls this helper. */
export const nameHelper = 'const __name = (named) => named;';

/** Source text that calls `run` with `args` in another JavaScript world. It evaluates to a promise of JSON, for `pageResult`. */
export function pageSource<Args extends readonly unknown[], T>(
  run: PageFunction<Args, T>,
  args: Args,
): string {
  return `(async () => {
    ${nameHelper}
    return JSON.stringify({ result: await (${run.toString()})(...${JSON.stringify(args)}) });
  })()`;
}

/** The value inside what `pageSource` evaluated to. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as with `JSON.parse`, the caller says what it is
export function pageResult<T>(json: unknown): T {
  const { result } = JSON.parse(String(json)) as { result: T };
  return result;
}
