import { isDeepStrictEqual } from 'node:util';

import type { Gate } from './gates.ts';
import { manifestOf } from './manifest-of.ts';
import { descriptiveKeys, reviewedManifest } from './reviewed-manifest.ts';
import { stylesIn } from './styles-in.ts';

/** Anything in the manifest that lets the extension do something which nobody has looked at: permissions, hosts, policy. */
export const findUnreviewed: Gate = (extension, browser) => {
  const manifest: Readonly<Record<string, unknown>> = manifestOf(extension);
  const reviewed = reviewedManifest(browser, stylesIn(extension));
  const keys = new Set([...Object.keys(manifest), ...Object.keys(reviewed)]);

  return [...keys]
    .filter((key) => !descriptiveKeys.includes(key))
    .filter((key) => !isDeepStrictEqual(manifest[key], reviewed[key]))
    .map(
      (key) =>
        `manifest.json: "${key}" is ${JSON.stringify(manifest[key])} and was reviewed as ` +
        `${JSON.stringify(reviewed[key])}. Review it, then change scripts/gates/reviewed-manifest.ts.`,
    );
};
