import { createContext, runInContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';

/** Milliseconds after which the first turn counts as endless. */
const LIMIT = 10_000;

const ORIGIN = 'chrome-extension://extension';

/** The input of the thread. */
export interface Background {
  readonly script: string;
  /** Path of the script in the extension. */
  readonly path: string;
  readonly manifest: { readonly background: { readonly service_worker?: string | undefined } };
}

const globals = globalThis as unknown as Readonly<Record<string, unknown>>;

/** Globals of workers and pages that every version of Node has and that only compute. */
const PURE = [
  'AbortController, AbortSignal, DOMException, Event, EventTarget, Headers, TextDecoder, TextEncoder',
  'URL, URLSearchParams, atob, btoa',
].flatMap((line) => line.split(', '));

/** Globals that only pages have. The background of Firefox is one. */
const OF_PAGES = new Set(['document', 'localStorage', 'matchMedia', 'sessionStorage', 'window']);

/** `true` after the script has made text or a number of a value that does nothing. A parser may refuse that text. */
let isConverted = false;

/** Returns an object that can be called, created and read like any other, and whose promises never settle. */
function createInert(members: Readonly<Record<PropertyKey, unknown>> = {}): object {
  return new Proxy(function inert() {}, {
    get: (_target, name): unknown => {
      if (Object.hasOwn(members, name)) return members[name];
      if (name !== Symbol.toPrimitive) return createInert();
      isConverted = true;
      return () => '';
    },
    apply: () => createInert(),
    construct: () => createInert(),
  });
}

/** Returns the error, or an empty text. `inert` has the names of globals that do nothing. */
function findFirstError({ script, path, manifest }: Background, inert: readonly string[]): string {
  const isWorker = manifest.background.service_worker !== undefined;
  const context = createContext({
    ...Object.fromEntries(PURE.map((name) => [name, globals[name]])),
    ...Object.fromEntries(inert.map((name) => [name, createInert()])),
    location: new URL(`${ORIGIN}/${path}`),
  });
  const browser = createInert({
    runtime: createInert({
      id: 'extension',
      getManifest: () => manifest,
      getURL: (to: string) => new URL(to, `${ORIGIN}/`).href,
    }),
    i18n: createInert({ getMessage: (key: string) => key, getUILanguage: () => 'en' }),
  });
  Object.assign(context, { self: context, chrome: browser, browser });
  try {
    runInContext(script, context, { filename: path, timeout: LIMIT });
    return '';
  } catch (error) {
    // The other globals of browsers are too many to list, and the compiler finds names that do not exist.
    const [, missing] = /^ReferenceError: (\w+) is not defined$/u.exec(String(error)) ?? [];
    const isKnown = missing === undefined || inert.includes(missing);
    if (!isKnown && !(isWorker && OF_PAGES.has(missing))) {
      return findFirstError({ script, path, manifest }, [...inert, missing]);
    }
    return isConverted && /^(?:Range|Syntax)Error:/u.test(String(error)) ? '' : String(error);
  }
}

// A name that is missing is found by its error. Scripts also use these two as members of the global object, where they are
// `undefined` without an error.
const MEMBERS = ['addEventListener', 'removeEventListener'];

// Posts the error that the first turn of a background throws, or an empty text. What the script has begun ends with this thread.
const inert = ['console', ...MEMBERS];
parentPort?.postMessage(findFirstError(workerData as Background, inert));
process.exit();
