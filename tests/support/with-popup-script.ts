import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { pages } from '../../src/contract/pages.ts';
import { copyBuiltExtension } from './copy-built-extension.ts';

/** The built extension with a script that runs in its popup before everything else, to watch it from the beginning. */
export async function withPopupScript(script: string): Promise<string> {
  const folder = await copyBuiltExtension();
  await writeFile(join(folder, 'watch.js'), script);
  const page = join(folder, pages.popup);
  const html = await readFile(page, 'utf8');
  await writeFile(page, html.replace('<head>', '<head><script src="/watch.js"></script>'));
  return folder;
}
