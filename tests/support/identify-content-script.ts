import type { Sender } from '../../src/messaging/wire.ts';

/** The extension that a content script must belong to, and where it may call from. */
interface TrustedSites {
  readonly id: string;
  /** Scheme and host, as in a match pattern of the manifest: `https://example.org`, on any port. */
  readonly sites: readonly string[];
}

/**
 * Takes a sender for the own content script on one of these sites, from what the browser says of it and from nothing that
 * it says itself. A missing field refuses. What it then sends is worth as much as the page that it stands in.
 */
export function identifyContentScript(
  sender: Sender | undefined,
  { id, sites }: TrustedSites,
): 'content' | undefined {
  const site = siteOf(sender?.origin);
  if (sender?.id !== id || site === undefined || !sites.includes(site)) return undefined;
  return siteOf(sender.url) === site ? 'content' : undefined;
}

function siteOf(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;

  const { protocol, hostname } = new URL(address);
  return `${protocol}//${hostname}`;
}
