import type { Rolldown } from 'vite';

/** The text of a file that is about to be written, by its path in the build. */
export function textOfAsset(bundle: Rolldown.OutputBundle, path: string): string {
  const file = bundle[path];
  if (file?.type !== 'asset') throw new Error(`The build has no ${path}.`);
  return Buffer.from(file.source).toString('utf8');
}
