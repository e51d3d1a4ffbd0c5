/** The browser's description of the other end of a port. Every field may be missing. */
export interface Sender {
  readonly id?: string | undefined;
  readonly origin?: string | undefined;
  readonly url?: string | undefined;
  readonly tab?: { readonly id?: number | undefined; readonly incognito?: boolean | undefined } | undefined;
  readonly frameId?: number | undefined;
  /** Firefox does not have it. */
  readonly documentId?: string | undefined;
}

/** A page of the extension. */
interface PageCaller {
  readonly kind: 'page';
  /** Path within the extension without a leading slash, as in manifest.json. */
  readonly path: string;
}

/** The extension's content script on certain sites. A hostile site may send everything that the script may send. */
interface ContentScriptCaller extends Limits {
  readonly kind: 'contentScript';
  /** Match patterns, as in manifest.json. Only their scheme and host are compared, because a page can change its path. */
  readonly matches: readonly string[];
}

/** Limits of one connection. The limits of each procedure apply as well. */
interface Limits {
  /** Largest input, in characters of JSON text. */
  readonly maxSize: number;
  /** Most calls and streams that are open at the same time. */
  readonly maxCalls: number;
}

/** All pages and content scripts that may call the background, by name. */
export type Callers = Readonly<Record<string, PageCaller | ContentScriptCaller>>;

/** A page, a content script or the background, as a caller of procedures. */
export interface Caller extends Limits {
  readonly info: CallerInfo;
}

/** A caller as the browser states it, never as the caller claims. Members that the browser does not state are missing. */
export interface CallerInfo<Name = string> {
  /** Its name in the table of callers, or `background`. */
  readonly name: Name;
  /** For example `https://example.org`. */
  readonly origin?: string;
  /** Address of the document when it connected. A page can change its path and its hash later. */
  readonly url?: string;
  /** Missing for a popup. It is valid until the browser closes. */
  readonly tabId?: number;
  /** 0 for the outermost document of a tab. */
  readonly frameId?: number;
  /** Identifies the document, even after its frame has gone to another address. Firefox does not have it. */
  readonly documentId?: string;
  /** `true` for a tab in a private window. Missing for a popup. */
  readonly isPrivate?: boolean;
}

/** The extension's own id and origin, such as `chrome-extension://<id>`. */
export interface Identity {
  readonly id: string;
  readonly origin: string;
}

const NO_LIMITS: Limits = { maxSize: Infinity, maxCalls: Infinity };

/** The background, when it calls its own procedures. */
export const BACKGROUND: Caller = { info: { name: 'background' }, ...NO_LIMITS };

/** Declares all callers. The name `background` is reserved. */
export function defineCallers<const C extends Callers>(callers: C & { readonly background?: never }): C {
  return callers;
}

/** Declares a page. @throws TypeError for a path with a slash at its start, or without `.html` at its end */
export function page(path: string): PageCaller {
  if (!/^[^/].*\.html$/u.test(path)) {
    throw new TypeError(`"${path}" must be a path such as "src/popup/index.html".`);
  }
  return { kind: 'page', path };
}

/**
 * Declares a content script. By default, an input has at most 64 Ki characters, and 32 calls may be open at the same time.
 *
 * @throws TypeError for a match pattern that is not valid
 */
export function contentScript({
  matches,
  maxSize = 64 * 1024,
  maxCalls = 32,
}: Pick<ContentScriptCaller, 'matches'> & Partial<Limits>): ContentScriptCaller {
  for (const pattern of matches) parsePattern(pattern);
  return { kind: 'contentScript', matches, maxSize, maxCalls };
}

/**
 * Identifies a caller by fields that the browser sets, never by data that the sender sends. All of them must match: the id
 * alone proves nothing, because content scripts have the extension's id too. Returns `undefined` for any other sender.
 */
export function identifyCaller(
  callers: Callers,
  sender: Sender | undefined,
  { id, origin }: Identity,
): Caller | undefined {
  if (sender?.id !== id) return undefined;

  for (const [name, caller] of Object.entries(callers)) {
    if (caller.kind === 'page') {
      if (sender.origin === origin && isAt(`${origin}/${caller.path}`, sender.url)) {
        return { info: describe(name, sender), ...NO_LIMITS };
      }
    } else if (caller.matches.some((pattern) => isOnSite(pattern, sender))) {
      return { info: describe(name, sender), maxSize: caller.maxSize, maxCalls: caller.maxCalls };
    }
  }
  return undefined;
}

function describe(name: string, { origin, url, tab, frameId, documentId }: Sender): CallerInfo {
  const stated = { origin, url, tabId: tab?.id, frameId, documentId, isPrivate: tab?.incognito };
  const known = Object.entries(stated).filter(([, value]) => value !== undefined);
  return { name, ...Object.fromEntries(known) };
}

/** Compares addresses as text. A browser writes each address in one form, so any other form is refused. */
function isAt(expected: string, address = ''): boolean {
  return address.startsWith(expected) && ['', '?', '#'].includes(address.charAt(expected.length));
}

/** Returns `true` if both the origin and the address of a sender match the pattern. */
function isOnSite(pattern: string, { origin, url }: Sender): boolean {
  const { schemes, host } = parsePattern(pattern);
  const matches = (address = ''): boolean => {
    if (!URL.canParse(address)) return false;
    const { protocol, hostname } = new URL(address);
    if (!schemes.includes(protocol)) return false;
    if (host === '*') return true;
    return host.startsWith('*.') ? `.${hostname}`.endsWith(host.slice(1)) : hostname === host;
  };
  return matches(origin) && matches(url);
}

/** Parses a pattern for web sites: https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Match_patterns */
function parsePattern(pattern: string): { readonly schemes: readonly string[]; readonly host: string } {
  if (pattern === '<all_urls>') return { schemes: ['http:', 'https:'], host: '*' };

  const [, scheme = '', host = ''] = /^(\*|https?):\/\/(\*|(?:\*\.)?[^/*:]+)\/.*$/u.exec(pattern) ?? [];
  if (host === '') throw new TypeError(`"${pattern}" must be a match pattern such as "*://*.example.org/*".`);
  return { schemes: scheme === '*' ? ['http:', 'https:'] : [`${scheme}:`], host };
}
