import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { copyBuiltExtension } from './copy-built-extension.ts';

/** The built extension with, as the real one never has, a content script on pages of the loopback address. */
export async function withContentScript(script: string): Promise<string> {
  const folder = await copyBuiltExtension();
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as object;
  const contentScripts = [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }];
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ ...manifest, content_scripts: contentScripts }),
  );
  await writeFile(join(folder, 'content.js'), script);
  return folder;
}
