import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A copy of a built extension that has, as the real one never does, a content script on pages of the loopback address. */
export async function withContentScript(built: string, script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'extension-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(built, folder, { recursive: true });

  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as object;
  const contentScripts = [{ matches: ['http://127.0.0.1/*'], js: ['content.js'] }];
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ ...manifest, content_scripts: contentScripts }),
  );
  await writeFile(join(folder, 'content.js'), script);
  return folder;
}
