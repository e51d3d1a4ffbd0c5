import { textOf } from './built-extension.ts';
import type { Gate } from './gates.ts';

/** Names that look like addresses and are never gone to: of namespaces, and in texts of React's errors. */
const NAMES = [/^https?:\/\/www\.w3\.org\//, /^https:\/\/react\.dev\/errors\//];

/**
 * With a scheme, or with that of the page: `//host` where an attribute, a style or a quoted text begins. What has no scheme
 * and no dot may be anything.
 */
const ADDRESS =
  /(?:https?|wss?):\/\/[\w[][^\s"'`)<>\\]*|(?<=["'`(=]\s*)\/\/[\w[][^\s"'`)<>\\]*\.[^\s"'`)<>\\]+/g;

/** Addresses of other machines in scripts, styles and pages: the extension asks nobody for anything. */
export const findRemoteAddresses: Gate = (extension) =>
  [...extension.files.keys()]
    .filter((path) => /\.(js|css|html)$/.test(path))
    .flatMap((path) =>
      [...textOf(extension, path).matchAll(ADDRESS)]
        .map(([address]) => address)
        .filter((address) => !NAMES.some((name) => name.test(address)))
        .map((address) => `${path} holds the address ${address}.`),
    );
