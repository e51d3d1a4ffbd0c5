import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it, vi } from 'vitest';

import { startDevelopment } from '../support/development.ts';
import { servePage } from '../support/web-page.ts';

const OPTIONS = 'src/options/index.html';

it('`npm start` shows each kind of edit without another step', async () => {
  const { extension, project, edit, untilShown } = await startDevelopment(async (prepare) => {
    await prepare('src/features/mark/part.css', () => ':host { --part: first }\n');
    await prepare('src/features/mark/mark.css', () => `@import './part.css';\n`);
    await prepare(
      'src/features/mark/content.ts',
      () => `import './mark.css';
document.documentElement.dataset['mark'] = 'first';
document.documentElement.dataset['styles'] = import.meta.env.STYLES;\n`,
    );
    await prepare('manifest.json', (text) =>
      text.replace(
        '  "commands"',
        '  "content_scripts": [{ "matches": ["http://web.test/*"], "js": ["src/features/mark/content.ts"] }],\n  "commands"',
      ),
    );
  });
  const git = (...args: readonly string[]) => promisify(execFile)('git', args, { cwd: project });
  await git('init', '--quiet');
  await git('add', '--all');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org'];
  await git(...author, 'commit', '--quiet', '--message', 'Start');
  const site = (await servePage()).replace('127.0.0.1', 'web.test');
  await extension.open(site);

  await edit('src/static/_locales/en/messages.json', (text) =>
    text.replace(/("extension_name": \{ "message": )"[^"]*"/u, '$1"Edited"'),
  );
  await untilShown(OPTIONS, () => chrome.i18n.getMessage('extension_name') === 'Edited');

  await edit('src/features/mark/content.ts', (text) => text.replace('first', 'second'));
  await untilShown(site, () => document.documentElement.dataset['mark'] === 'second');

  await edit('src/features/mark/part.css', (text) => text.replace('first', 'second'));
  await untilShown(site, () => document.documentElement.dataset['styles']?.includes('second'));

  await edit('manifest.json', (text) => text.replace('"version": "0.1.0"', '"version": "0.1.1"'));
  await untilShown(OPTIONS, () => chrome.runtime.getManifest().version === '0.1.1');

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

  // A new dependency of the page and the background.
  await edit(
    'node_modules/planted-package/package.json',
    () => '{ "name": "planted-package", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  );
  await edit('node_modules/planted-package/index.js', () => `export const edit = 'dependency';\n`);
  const imported = `import { edit as installed } from 'planted-package';\n`;
  await edit('src/background/main.ts', (text) => imported + text.replace('__EDIT__', 'installed'));
  await edit('src/options/options.tsx', (text) => imported + text.replace('__EDIT__', 'installed'));
  await untilShown(`${OPTIONS}#/preferences`, async () => {
    const { edit: stored } = await chrome.storage.session.get('edit');
    return stored === 'dependency' && document.body.dataset['edit'] === 'dependency';
  });

  expect(await extension.readConsole()).toEqual([]);

  // A checkout writes and removes all of these files at once. Firefox can warn of the policy of a page that it opens meanwhile.
  await git('checkout', '--quiet', '.');
  await git('clean', '--quiet', '--force', '-d');
  await untilShown(
    `${OPTIONS}#/preferences`,
    () =>
      chrome.runtime.getManifest().version === '0.1.0' &&
      chrome.i18n.getMessage('extension_name') !== 'Edited' &&
      document.body.dataset['edit'] === undefined &&
      document.querySelector('fieldset') !== null &&
      !document.body.innerText.includes('planted'),
  );
});

it.runIf(inject('browserName') === 'firefox')(
  'a call that is in flight while the background is replaced is answered once',
  async () => {
    const feature = (log: string): string => `import * as v from 'valibot';
import { defineDocument, defineFeature, mutation } from '../../define.ts';
const count = defineDocument({ key: 'planted', schema: v.number(), initial: 0 });
export const plantedFeature = defineFeature({ documents: [count], procedures: {
  'planted.add': mutation({ callers: ['options'], output: v.number(), handle: async ({ state }) => {
    const { entered = 0 } = await chrome.storage.session.get('entered');
    await chrome.storage.session.set({ entered: Number(entered) + 1 });
    await new Promise((resolve) => setTimeout(resolve, ${log}));
    return state.update(count, (value) => value + 1);
  } }),
} });
`;
    const path = 'src/features/planted/background.ts';
    const { edit, untilShown } = await startDevelopment(async (prepare) => {
      await prepare(path, () => feature('60_000'));
      await prepare('src/background/features.ts', (text) =>
        text
          .replace(
            'export const',
            `import { plantedFeature } from '../features/planted/background.ts';\nexport const`,
          )
          .replace('  aboutFeature,', '  aboutFeature,\n  plantedFeature,'),
      );
      await prepare(
        'src/options/main.tsx',
        (text) => `${text}
client.mutate('planted.add', undefined, { timeout: 120_000 }).then(
  (value) => (document.body.dataset['answers'] = (document.body.dataset['answers'] ?? '') + String(value)),
  (error) => (document.body.dataset['answers'] = String(error)),
);
`,
      );
    });
    await untilShown(OPTIONS, async () => (await chrome.storage.session.get('entered'))['entered'] === 1);

    await edit(path, () => feature('0'));

    const view = await untilShown(OPTIONS, () => document.body.dataset['answers']);
    expect(await view.evaluate(() => document.body.dataset['answers'])).toBe('1');
  },
);

it('`npm start -- --keep-profile` starts with what the browser has stored', async () => {
  const { extension, restart } = await startDevelopment(undefined, true);
  const view = await extension.findView(OPTIONS);
  await view.evaluate(async () => {
    await chrome.storage.local.set({ planted: 'kept' });
  });

  const again = await restart();

  const options = await again.findView(OPTIONS);
  expect(await options.evaluate(async () => (await chrome.storage.local.get('planted'))['planted'])).toBe(
    'kept',
  );
});

it('`npm start` builds and installs the extension after each edit if its pages cannot load from a server', async () => {
  const log = vi.spyOn(console, 'log');
  const { edit, untilShown } = await startDevelopment(async (prepare) => {
    // An older Firefox cannot be installed here.
    await prepare('scripts/browsers/firefox.ts', (text) =>
      text.replace("await window<boolean>('allowsLocalServer')", 'false'),
    );
    await prepare('scripts/browsers/chromium.ts', (text) =>
      text.replace('allowsLocalServer: true', 'allowsLocalServer: false'),
    );
  });
  expect(log.mock.calls.flat().join()).toContain(
    'cannot load pages from a server, which Firefox 147 and newer can',
  );
  log.mockRestore();

  await edit('src/options/options.tsx', (text) => `${text}document.body.dataset['edit'] = 'whole';\n`);

  const view = await untilShown(OPTIONS, () => document.body.dataset['edit'] === 'whole');
  expect(await view.evaluate(() => document.documentElement.outerHTML)).not.toContain('localhost');
});

it('source maps lead from the scripts of `npm start` to the TypeScript files', async () => {
  const { extension, project } = await startDevelopment();
  const [started = ''] = await readdir(join(project, '.cache'));
  const worker = await readFile(join(project, '.cache', started, 'build/worker.js'), 'utf8');
  const [, map = ''] = /sourceMappingURL=data:application\/json[^,]*;base64,(\S+)/u.exec(worker) ?? [];
  const { sources } = JSON.parse(Buffer.from(map, 'base64').toString('utf8')) as {
    readonly sources: readonly string[];
  };
  const options = await extension.findView(OPTIONS);
  const page = await options.evaluate(async () => {
    const source = document.querySelector<HTMLScriptElement>('script[src*="main.tsx"]')?.src ?? '';
    return (await fetch(source)).text();
  });

  expect(sources).toContainEqual(expect.stringMatching(/src\/features\/about\/background\.ts$/u));
  expect(page).toContain('sourceMappingURL=data:application/json;base64,');
});
