import { checkLimit } from '../wire/errors.ts';

/** The browser's description of the other end of a port. Every field may be missing. */
export interface Sender {
  readonly id?: string | undefined;
  readonly origin?: string | undefined;
  readonly url?: string | undefined;
  readonly tab?: { readonly id?: number | undefined; readonly incognito?: boolean | undefined } | undefined;
  readonly frameId?: number | undefined;
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
  /** Match patterns. Their scheme, host and port are compared, but not their path, because a page can change its path. */
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
  /** Identifies the document, even after its frame has gone to another address. Older versions of Firefox do not state it. */
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

/** The result of identifying a sender that is not a caller. */
export interface Refusal {
  /** A sentence for the log of the background. */
  readonly refusal: string;
}

/** Declares all callers. @throws TypeError for the name `background`, and for other characters than letters, digits, `-` and `_` */
export function defineCallers<const C extends Callers>(callers: C & { readonly background?: never }): C {
  for (const name of Object.keys(callers)) {
    if (name === 'background' || !/^[\w-]+$/u.test(name)) {
      const instead = 'Use letters, digits, "-" and "_", and not the name of the background';
      throw new TypeError(`"${name}" cannot be the name of a caller. ${instead}.`);
    }
  }
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
 * @throws TypeError for a match pattern that no sender can match, with the reason, or for a limit that is not above 0
 */
export function contentScript({
  matches,
  maxSize = 64 * 1024,
  maxCalls = 32,
}: Pick<ContentScriptCaller, 'matches'> & Partial<Limits>): ContentScriptCaller {
  for (const pattern of matches) originsOf(pattern);
  checkLimit('`maxSize`', maxSize);
  checkLimit('`maxCalls`', maxCalls);
  return { kind: 'contentScript', matches, maxSize, maxCalls };
}

/**
 * Identifies a caller by fields that the browser sets, never by data that the sender sends. All of them must match: the id
 * alone proves nothing, because content scripts have the extension's id too.
 */
export function identifyCaller(
  callers: Callers,
  sender: Sender | undefined,
  { id, origin }: Identity,
): Caller | Refusal {
  const where = `${sender?.url ?? 'an unknown address'} (origin ${sender?.origin ?? 'unknown'})`;
  if (sender?.id !== id) return { refusal: `${where} is not a part of this extension.` };

  for (const [name, caller] of Object.entries(callers)) {
    if (caller.kind === 'page') {
      if (sender.origin === origin && isAt(`${origin}/${caller.path}`, sender.url)) {
        return { info: describe(name, sender), ...NO_LIMITS };
      }
    } else if (caller.matches.some((pattern) => isOnSite(pattern, sender))) {
      return { info: describe(name, sender), maxSize: caller.maxSize, maxCalls: caller.maxCalls };
    }
  }
  return { refusal: `${where} is not in the table of callers.` };
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

/** Returns `true` if both the origin and the address of a sender match the pattern. Paths are not compared. */
function isOnSite(pattern: string, { origin, url }: Sender): boolean {
  return [origin, url].every((address = '') => {
    if (!URL.canParse(address)) return false;
    const { protocol, hostname, port } = new URL(address);
    // Chromium ignores the dot at the end of a host when it compares the host with a pattern.
    const host = hostname.replace(/\.$/u, '');
    return originsOf(pattern).test(`${protocol}//${host}:${port || (protocol === 'https:' ? '443' : '80')}`);
  });
}

/**
 * Returns an expression for the origins, with their ports, that match a pattern:
 * https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Match_patterns. A port is allowed, although patterns with
 * a port match nothing in Firefox.
 *
 * @throws TypeError for a pattern that at least one browser never matches
 */
function originsOf(pattern: string): RegExp {
  if (pattern === '<all_urls>') return /^https?:/u;

  const fail = (reason: string): TypeError => new TypeError(`The match pattern "${pattern}" ${reason}`);
  if (pattern.startsWith('file:')) {
    throw fail('cannot be a caller, because pages of the file system have no origin that tells them apart.');
  }
  const parts = /^(\*|https?):\/\/(\*$|\*\.)?(\*|\[[\d:a-f]+\]|[^/*:[]+)(?::(\d+|\*))?\/.*$/u.exec(pattern);
  const [, scheme, anySubdomain, host = '', port = '*'] = parts ?? [];
  if (parts === null || (anySubdomain && /^[*[]/u.test(host))) {
    throw fail('must have the form "*://*.example.org/*", with the scheme http, https or *.');
  }
  const address = `http://${host}`;
  const written = URL.canParse(address) ? new URL(address).hostname.replace(/\.$/u, '') : '';
  // An empty label.
  if (/^\.|\.\.|^$/u.test(written)) throw fail('never matches, because its host is not valid.');
  if (written !== host) throw fail(`does not match in every browser. Write its host as "${written}".`);
  // Chromium refuses a larger port, and no address has a zero at the start of its port.
  if (port !== '*' && (port.startsWith('0') || Number(port) > 65_535))
    throw fail('has a port that is not valid.');

  const hosts =
    host === '*' ? '[^/]+' : (anySubdomain ? '(?:[^/]+\\.)?' : '') + host.replaceAll(/[.[\]]/gu, '\\$&');
  return new RegExp(
    `^${scheme === '*' ? 'https?' : scheme}://${hosts}:${port === '*' ? '\\d+' : port}$`,
    'u',
  );
}
