import { expect, it } from 'vitest';

import { startDevelopment } from '../support/development.ts';
import { servePage } from '../support/web-page.ts';

const OPTIONS = 'src/options/index.html';

it('`npm start` shows each kind of edit without another step', async () => {
  const { extension, edit, untilShown } = await startDevelopment(async (prepare) => {
    await prepare(
      'src/features/mark/content.ts',
      () => `document.documentElement.dataset['mark'] = 'first';\n`,
    );
    await prepare('manifest.json', (text) =>
      text.replace(
        '  "commands"',
        '  "content_scripts": [{ "matches": ["http://web.test/*"], "js": ["src/features/mark/content.ts"] }],\n  "commands"',
      ),
    );
  });
  const site = (await servePage()).replace('127.0.0.1', 'web.test');
  await extension.open(site);

  await edit('src/static/_locales/en/messages.json', (text) =>
    text.replace(/("extension_name": \{ "message": )"[^"]*"/u, '$1"Edited"'),
  );
  await untilShown(OPTIONS, () => chrome.i18n.getMessage('extension_name') === 'Edited');

  await edit('src/features/mark/content.ts', (text) => text.replace('first', 'second'));
  const web = await untilShown(site, () => document.documentElement.dataset['mark'] === 'second');
  // Vite's client loads a page again only while a person can see it.
  await web.close();

  await edit('manifest.json', (text) => text.replace('"version": "0.1.0"', '"version": "0.1.1"'));
  await untilShown(OPTIONS, () => chrome.runtime.getManifest().version === '0.1.1');

  await edit('SPEC_GAPS.md', (text) => text.replace(/(\*\*1\.1\*\* \([^)]+\)) .*/u, '$1 Is this edited?'));
  await untilShown(OPTIONS, () => document.body.innerText.includes('Is this edited?'));

  await edit('src/options/index.html', (text) => text.replace('<body>', '<body data-edit="html">'));
  await untilShown(OPTIONS, () => document.body.dataset['edit'] === 'html');

  // A setting reaches pages and the background.
  const define = `define: { __EDIT__: '"setting"' }, publicDir:`;
  await edit('vite.config.ts', (text) => text.replace('publicDir:', define));
  await edit('src/background/main.ts', (text) => `${text}browser.storage.session.set({ edit: __EDIT__ });\n`);
  await edit('src/options/options.tsx', (text) => `${text}document.body.dataset['edit'] = __EDIT__;\n`);
  await untilShown(OPTIONS, async () => {
    const { edit: stored } = await chrome.storage.session.get('edit');
    return stored === 'setting' && document.body.dataset['edit'] === 'setting';
  });

  // A new feature with a handler and a view.
  await edit(
    'src/features/planted/background.ts',
    () => `import * as v from 'valibot';
import { defineFeature, query } from '../../define.ts';
export const plantedFeature = defineFeature({ procedures: {
  'planted.get': query({ callers: ['options'], output: v.string(), handle: () => 'planted' }),
} });
`,
  );
  await edit(
    'src/features/planted/options.tsx',
    () => `import { useQuery } from '../../ui/calls.ts';
export const Planted = () => <p>{JSON.stringify(useQuery('planted.get'))}</p>;
`,
  );
  await edit('src/background/features.ts', (text) =>
    text
      .replace(
        'export const',
        `import { plantedFeature } from '../features/planted/background.ts';\nexport const`,
      )
      .replace('  aboutFeature,', '  aboutFeature,\n  plantedFeature,'),
  );
  await edit('src/options/views.tsx', (text) =>
    text
      .replace(
        '\n/** The views',
        `\nimport { Planted } from '../features/planted/options.tsx';\n/** The views`,
      )
      .replace('<PreferencesView />', '<PreferencesView /><Planted />'),
  );
  const view = await extension.findView(OPTIONS);
  await view.evaluate(() => (location.hash = '#/preferences'));
  await untilShown(`${OPTIONS}#/preferences`, () => document.body.innerText.includes('"value":"planted"'));
  expect(await extension.readConsole()).toEqual([]);
});
