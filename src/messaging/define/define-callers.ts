import { checkLimit } from './limits.ts';

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
export interface Limits {
  /** Largest input, in characters of JSON text. */
  readonly maxSize: number;
  /** Most calls and streams that are open at the same time. */
  readonly maxCalls: number;
}

/** All pages and content scripts that may call the background, by name. */
export type Callers = Readonly<Record<string, PageCaller | ContentScriptCaller>>;

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
  /** 0 for the outermost document of a tab, except while it is prerendered. */
  readonly frameId?: number;
  /** Identifies the document, even after its frame has gone to another address. Older versions of Firefox do not state it. */
  readonly documentId?: string;
  /**
   * State of the document when it connected. A document that is `prerender` may never be shown. When it is shown, its client
   * connects again, and this is then `active`. Only Chromium states it.
   */
  readonly documentLifecycle?: 'prerender' | 'active' | 'cached' | 'pending_deletion';
  /** `true` for a tab in a private window. Missing for a popup. */
  readonly isPrivate?: boolean;
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
 * Returns an expression for the origins, with their ports, that match a pattern:
 * https://developer.mozilla.org/docs/Mozilla/Add-ons/WebExtensions/Match_patterns. A port is allowed, although patterns with
 * a port match nothing in Firefox.
 *
 * @throws TypeError for a pattern that at least one browser never matches
 */
export function originsOf(pattern: string): RegExp {
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
  if (host !== '*') {
    const address = `http://${host}`;
    const written = URL.canParse(address) ? new URL(address).hostname.replace(/\.$/u, '') : '';
    // Chromium escapes characters that no host has, and Node keeps or refuses them.
    if (!/^(?:[\w-]+(?:\.[\w-]+)*|\[[\d:a-f]+\])$/u.test(written)) {
      throw fail('never matches, because its host is not valid.');
    }
    if (written !== host) throw fail(`does not match in every browser. Write its host as "${written}".`);
  }
  // Chromium refuses a larger port, and no address has a zero at the start of its port.
  if (port.startsWith('0') || Number(port) > 65_535) throw fail('has a port that is not valid.');

  const hosts =
    host === '*' ? '[^/]+' : (anySubdomain ? '(?:[^/]+\\.)?' : '') + host.replaceAll(/[.[\]]/gu, '\\$&');
  return new RegExp(
    `^${scheme === '*' ? 'https?' : scheme}://${hosts}:${port === '*' ? '\\d+' : port}$`,
    'u',
  );
}
