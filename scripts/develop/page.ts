import { posix } from 'node:path';

/** A page that loads its scripts and styles from Vite's server. */
export interface ServedPage {
  readonly html: string;
  /** The scripts of the page that were inside its HTML, by their path on the server. The policy of the pages refuses those. */
  readonly scripts: ReadonlyMap<string, string>;
}

/**
 * Makes all scripts and styles of a page absolute addresses of the server.
 *
 * @param html the page after Vite's plugins have changed it
 * @param path of the page, such as `src/options/index.html`
 * @param server origin of the server
 */
export function servePage(html: string, path: string, server: string): ServedPage {
  const scripts = new Map<string, string>();
  const toServer = (address: string): string => new URL(address, `${server}/${path}`).href;
  const served = html
    .replaceAll(
      /<script\b((?:(?!\ssrc=)[^>])*)>([^]*?)<\/script>/gu,
      (whole, attributes: string, code: string) => {
        if (code.trim() === '') return whole;
        const address = posix.join('/@page', path, `${scripts.size}.js`);
        scripts.set(address, code);
        return `<script${attributes} src="${toServer(address)}"></script>`;
      },
    )
    .replaceAll(/(<(?:script|link)\b[^>]*\s(?:src|href)=")([^"]+)"/gu, (_, tag: string, address: string) => {
      return `${tag}${toServer(address)}"`;
    });
  return { html: served, scripts };
}
