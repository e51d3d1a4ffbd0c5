import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';

const Manifest = v.object({
  action: v.object({ default_popup: v.string() }),
  browser_specific_settings: v.object({ gecko: v.object({ id: v.string() }) }),
});

/** What a driver must know of a built extension: the popup's path and Firefox's id for the extension. */
export async function readExtensionManifest(folder: string): Promise<{ popup: string; geckoId: string }> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8');
  const manifest = v.parse(Manifest, JSON.parse(text));
  return { popup: manifest.action.default_popup, geckoId: manifest.browser_specific_settings.gecko.id };
}
