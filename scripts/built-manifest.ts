import manifest from '../manifest.json' with { type: 'json' };
import type { BrowserName } from './browsers/find-browser.ts';

/** The part of manifest.json that names scripts. */
interface Source {
  readonly manifest_version: number;
  readonly content_scripts?: readonly { readonly js?: readonly string[] }[];
}

/** Returns the manifest of a build. It differs from manifest.json only in the scripts, which the build makes classic. */
export function builtManifest(
  browser: BrowserName,
  source: Source = manifest,
): Readonly<Record<string, unknown>> {
  const scripts = source.content_scripts?.map(({ js = [], ...rest }) => ({
    ...rest,
    js: js.map((path) => builtPath(path)),
  }));
  return {
    ...source,
    // Firefox has no service worker for extensions.
    background: browser === 'firefox' ? { scripts: ['worker.js'] } : { service_worker: 'worker.js' },
    ...(scripts && { content_scripts: scripts }),
  };
}

/** Returns the path of a script in a build. */
export function builtPath(path: string): string {
  return path.replace(/\.tsx?$/u, '.js');
}
