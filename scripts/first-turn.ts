import { createContext, runInContext } from 'node:vm';

/** Milliseconds after which the first turn counts as endless. */
const LIMIT = 10_000;

const ORIGIN = 'chrome-extension://extension';

/** Globals of workers and pages that every version of Node has and that reach nothing outside of the process. */
const HARMLESS = [
  'AbortController, AbortSignal, Blob, BroadcastChannel, CompressionStream, DOMException, DecompressionStream, Event',
  'EventTarget, File, FormData, Headers, MessageChannel, ReadableStream, Request, Response, TextDecoder, TextEncoder',
  'TransformStream, URL, URLSearchParams, WritableStream, atob, btoa, crypto, performance, structuredClone',
].flatMap((line) => line.split(', '));

/** Globals that do nothing here. */
const INERT = [
  'addEventListener, caches, clearInterval, clearTimeout, clients, console, cookieStore, createImageBitmap',
  'dispatchEvent, fetch, importScripts, indexedDB, navigator, queueMicrotask, registration, removeEventListener',
  'reportError, scheduler, setInterval, setTimeout, skipWaiting, trustedTypes',
].flatMap((line) => line.split(', '));

/** Globals that only the background of Firefox has, because it is a page. */
const OF_PAGES = ['document', 'localStorage', 'matchMedia', 'sessionStorage', 'window'];

/**
 * Runs the script of a background over a browser whose functions do nothing. Returns the error that its first turn throws, or
 * `undefined`. A browser does not start a background that throws.
 *
 * @param inert names of further globals that do nothing
 */
export function findFirstError(
  script: string,
  path: string,
  manifest: { readonly background: { readonly service_worker?: string | undefined } },
  inert: readonly string[] = manifest.background.service_worker === undefined ? OF_PAGES : [],
): string | undefined {
  const context = createContext({
    ...Object.fromEntries(HARMLESS.map((name) => [name, (globalThis as Record<string, unknown>)[name]])),
    ...Object.fromEntries([...INERT, ...inert].map((name) => [name, createInert()])),
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
    return undefined;
  } catch (error) {
    // Node lacks many classes of browsers, such as `OffscreenCanvas`. The compiler finds names that do not exist.
    const [, missing] = /^ReferenceError: ([A-Z]\w*) is not defined$/u.exec(String(error)) ?? [];
    if (missing === undefined || inert.includes(missing)) return String(error);
    return findFirstError(script, path, manifest, [...inert, missing]);
  }
}

/** Returns an object that can be called, created and read like any other, and whose promises never settle. */
function createInert(members: Readonly<Record<PropertyKey, unknown>> = {}): object {
  return new Proxy(function inert() {}, {
    get: (_target, name) => {
      if (Object.hasOwn(members, name)) return members[name];
      return name === Symbol.toPrimitive ? () => '' : createInert();
    },
    apply: () => createInert(),
    construct: () => createInert(),
  });
}
