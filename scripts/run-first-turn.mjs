// Gets the script of a background, its path and its manifest as JSON. Prints the error that the first turn of the script throws.
import { readFileSync, writeSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';

/** Milliseconds after which the first turn counts as endless. */
const LIMIT = 10_000;

const ORIGIN = 'chrome-extension://extension';

/** Globals of workers and pages that every version of Node has and that only compute. */
const PURE = [
  'AbortController, AbortSignal, DOMException, Event, EventTarget, Headers, TextDecoder, TextEncoder',
  'URL, URLSearchParams, atob, btoa',
].flatMap((line) => line.split(', '));

/** Globals that only pages have. The background of Firefox is one. */
const OF_PAGES = ['document', 'localStorage', 'matchMedia', 'sessionStorage', 'window'];

/** Whether the script has made text or a number of a value that does nothing. What it throws then says little. */
let isConverted = false;

/** Returns an object that can be called, created and read like any other, and whose promises never settle. */
function createInert(members = {}) {
  return new Proxy(function inert() {}, {
    get: (_target, name) => {
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
function findFirstError({ script, path, manifest }, inert) {
  const isWorker = manifest.background.service_worker !== undefined;
  const context = createContext({
    ...Object.fromEntries(PURE.map((name) => [name, globalThis[name]])),
    ...Object.fromEntries(inert.map((name) => [name, createInert()])),
    location: new URL(`${ORIGIN}/${path}`),
  });
  const browser = createInert({
    runtime: createInert({
      id: 'extension',
      getManifest: () => manifest,
      getURL: (to) => new URL(to, `${ORIGIN}/`).href,
    }),
    i18n: createInert({ getMessage: (key) => key, getUILanguage: () => 'en' }),
  });
  Object.assign(context, { self: context, chrome: browser, browser });
  try {
    runInContext(script, context, { filename: path, timeout: LIMIT });
    return '';
  } catch (error) {
    // The other globals of browsers are too many to list, and the compiler finds names that do not exist.
    const [, missing] = /^ReferenceError: (\w+) is not defined$/u.exec(String(error)) ?? [];
    const isKnown = missing === undefined || inert.includes(missing);
    if (!isKnown && !(isWorker && OF_PAGES.includes(missing))) {
      return findFirstError({ script, path, manifest }, [...inert, missing]);
    }
    return isConverted ? '' : String(error);
  }
}

writeSync(1, findFirstError(JSON.parse(readFileSync(0, 'utf8')), ['console']));
// What the script has begun ends with this process.
process.exit();
