import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import * as v from 'valibot';

const Manifest = v.object({
  action: v.object({ default_popup: v.string() }),
  browser_specific_settings: v.object({ gecko: v.object({ id: v.string() }) }),
});

/** What a driver must know of an extension, in a folder or a zip: the popup's path and Firefox's id for the extension. */
export async function readExtensionManifest(path: string): Promise<{ popup: string; geckoId: string }> {
  const isFolder = (await stat(path)).isDirectory();
  const text = isFolder
    ? await readFile(join(path, 'manifest.json'), 'utf8')
    : strFromU8(unzipSync(await readFile(path))['manifest.json'] ?? new Uint8Array());
  const manifest = v.parse(Manifest, JSON.parse(text));
  return { popup: manifest.action.default_popup, geckoId: manifest.browser_specific_settings.gecko.id };
}
