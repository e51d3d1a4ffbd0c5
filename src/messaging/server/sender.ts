import type { Sender } from '../wire.ts';

/** The extension that a caller must belong to, and its pages. */
export interface Trusted<Caller extends string> {
  readonly id: string;
  /** For example `chrome-extension://<id>`. */
  readonly origin: string;
  /** Path of each page that may call, without a leading slash. */
  readonly pages: Readonly<Record<Caller, string>>;
}

/**
 * Identifies a caller by what the browser says about the sender, and by nothing that the sender says itself. A missing
 * field refuses: a content script carries the extension's own id, so the id alone proves nothing.
 */
export function identifyCaller<Caller extends string>(
  sender: Sender | undefined,
  { id, origin, pages }: Trusted<Caller>,
): Caller | undefined {
  if (sender?.id !== id || sender.origin !== origin) return undefined;

  const { url = '' } = sender;
  return Object.keys(pages).find((name): name is Caller => isAt(`${origin}/${pages[name as Caller]}`, url));
}

/** Compared as texts: a browser gives each address in one form, and any other form is refused. */
const isAt = (page: string, address: string): boolean =>
  address.startsWith(page) && ['', '?', '#'].includes(address.charAt(page.length));
