import { type CallerInfo, type Callers, type Limits, originsOf } from '../define/define-callers.ts';
import type { Sender } from '../wire/frames.ts';

/** A page, a content script or the background, as a caller of procedures. */
export interface Caller extends Limits {
  readonly info: CallerInfo;
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

function describe(name: string, sender: Sender): CallerInfo {
  const { origin, url, tab, frameId, documentId, documentLifecycle } = sender;
  const isPrivate = tab?.incognito;
  const stated = { origin, url, tabId: tab?.id, frameId, documentId, documentLifecycle, isPrivate };
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
