import type { Sender } from './port.ts';

/** The extension that a caller must belong to, and its pages. */
export interface Trusted<Caller extends string> {
  readonly id: string;
  /** For example `chrome-extension://<id>`. */
  readonly origin: string;
  /** Path of each page that may call, without a leading slash. */
  readonly pages: Readonly<Record<Caller, string>>;
}

/**
 * Says who is calling, from what the browser says about the sender and from nothing that the sender says itself.
 * A missing field refuses: a content script carries the extension's own id, so that the id alone proves nothing.
 */
export function identifyCaller<Caller extends string>(
  sender: Sender | undefined,
  { id, origin, pages }: Trusted<Caller>,
): Caller | undefined {
  if (sender?.id !== id || sender.origin !== origin) return undefined;

  const path = pathWithin(origin, sender.url);
  return Object.keys(pages).find((caller): caller is Caller => path === `/${pages[caller as Caller]}`);
}

function pathWithin(origin: string, address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;

  const url = new URL(address);
  // `url.origin` is "null" for an extension's scheme in Firefox, so that scheme and host are compared instead.
  return `${url.protocol}//${url.host}` === origin ? url.pathname : undefined;
}
