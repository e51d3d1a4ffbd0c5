import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

import { browserNames } from '../../../scripts/browsers/find-browser.ts';
import { pollUntil, type RunningExtension } from '../../../scripts/browsers/running-extension.ts';
import { copyProject } from '../../support/project-copy.ts';
import { servePage } from '../../support/web-page.ts';

it.each(browserNames)('`npm start` shows each kind of edit in %s without another step', async (browser) => {
  const project = await copyProject();
  const change = async (path: string, edit: (text: string) => string): Promise<void> => {
    const file = join(project, path);
    await mkdir(dirname(file), { recursive: true });
    // Many editors write another file and rename it.
    await writeFile(`${file}~`, edit(await readFile(file, 'utf8').catch(() => '')));
    await rename(`${file}~`, file);
  };
  await change('src/features/mark/content.ts', () => `document.documentElement.dataset['mark'] = 'first';\n`);
  await change('manifest.json', (text) =>
    text.replace(
      '  "commands"',
      '  "content_scripts": [{ "matches": ["http://web.test/*"], "js": ["src/features/mark/content.ts"] }],\n  "commands"',
    ),
  );
  const { develop } = (await import(
    join(project, 'scripts/develop.ts')
  )) as typeof import('../../../scripts/develop.ts');
  const extension = await new Promise<RunningExtension>((onShown, reject) => {
    develop(browser, { headless: true, onShown }).catch(reject);
  });
  const site = (await servePage()).replace('127.0.0.1', 'web.test');
  await extension.open(site);

  /** Makes an edit, waits until an open page shows it, and returns the milliseconds until then. */
  async function timeOf(edit: Promise<void>, address: string, isShown: () => unknown): Promise<number> {
    const start = performance.now();
    await edit;
    // The browser may close or reload the page during this.
    const look = async () => (await extension.findView(address)).evaluate(isShown);
    await pollUntil(() => look().catch(() => false), 'the edit to be shown');
    return Math.round(performance.now() - start);
  }
  const options = 'src/options/index.html';
  const append = (path: string, text: string) => appendFile(join(project, path), text);

  const times = {
    component: await timeOf(
      append('src/ui/page.tsx', `document.documentElement.dataset['edit'] = 'component';\n`),
      options,
      () => document.documentElement.dataset['edit'] === 'component',
    ),
    style: await timeOf(
      append('src/ui/base.css', ':root { --edit: style }\n'),
      options,
      () => getComputedStyle(document.documentElement).getPropertyValue('--edit') === 'style',
    ),
    text: await timeOf(
      change('src/static/_locales/en/messages.json', (text) =>
        text.replace(/("extension_name": \{ "message": )"[^"]*"/u, '$1"Edited"'),
      ),
      options,
      () => chrome.i18n.getMessage('extension_name') === 'Edited',
    ),
    background: await timeOf(
      append('src/background/main.ts', `void browser.storage.session.set({ edit: 'background' });\n`),
      options,
      async () => (await chrome.storage.session.get('edit'))['edit'] === 'background',
    ),
    'content script': await timeOf(
      change('src/features/mark/content.ts', (text) => text.replace('first', 'second')),
      site,
      () => document.documentElement.dataset['mark'] === 'second',
    ),
    manifest: await timeOf(
      change('manifest.json', (text) => text.replace('"version": "0.1.0"', '"version": "0.1.1"')),
      options,
      () => chrome.runtime.getManifest().version === '0.1.1',
    ),
  };
  console.log(`measured: ${browser}: ms until an edit is shown: ${JSON.stringify(times)}`);
  const written = await extension.readConsole();
  await extension.close();

  expect(written).toEqual([]);
});
