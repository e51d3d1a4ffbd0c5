import type { BrowserName } from '../browsers/browser-name.ts';
import { checkBuild } from '../gates/check-build.ts';
import { createZip } from './create-zip.ts';

/** The zip of a build for a store. Looks at it once more: a development build ends in `BuildRefused`, whoever put it there. */
export async function packBuild(folder: string, browser: BrowserName): Promise<Uint8Array> {
  const { files } = await checkBuild(folder, browser);
  return createZip(files);
}
