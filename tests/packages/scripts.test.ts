import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { browserNames } from '../../scripts/browsers/find-browser.ts';
import { readBuild } from '../../scripts/check-build.ts';
import { copyProject, runInCopy } from '../support/project-copy.ts';
import { type Files, writeFiles } from '../support/temporary-folder.ts';
import { authorSettings, provided } from './author-settings.ts';

const MATCHES = ['http://127.0.0.1/*'];

describe('a build with a content script, images, `import.meta.url` and settings of an author', () => {
  const use = "\nimport { all } from '@/features/planted/all.ts';\nconsole.log(all());\n";
  const changes: Files = {
    ...authorSettings,
    'src/features/planted/content.ts': `
      import '@/features/planted/panel.css';
      import styles from './panel.module.css';
      const style = document.createElement('style');
      style.textContent = import.meta.env.STYLES;
      document.body.attachShadow({ mode: 'closed' }).append(style, styles.part);
      ${use}`,
    'manifest.json': (text) => {
      const scripts = [{ matches: MATCHES, js: ['src/features/planted/content.ts'], run_at: 'document_end' }];
      return JSON.stringify({ ...(JSON.parse(text) as object), content_scripts: scripts });
    },
    'src/callers.ts': (text) =>
      text.replace(
        'defineCallers({',
        `defineCallers({ planted: { kind: 'contentScript', matches: ${JSON.stringify(MATCHES)}, maxSize: 1, maxCalls: 1 },`,
      ),
    'src/popup/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
    'src/popup/main.tsx': (text) =>
      `import dot from './dot.svg';\nimport '@/features/planted/panel.css';\n${text}\ndocument.title = dot;${use}`,
    'src/popup/popup.css': (text) => `${text}\n.dot { background: url(./dot.svg); }\n`,
    'src/popup/index.html': (text) => text.replace('</head>', '<title>%VITE_PLANTED%</title></head>'),
    'src/background/main.ts': (text) => `${text}\nconsole.log(import.meta.url);${use}`,
  };
  let parent = '';
  let folder = '';
  let printed = '';

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'parent-'));
    folder = join(parent, 'project');
    await rename(await copyProject(), folder);
    await writeFiles(folder, changes);
    printed = await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts');
  });

  afterAll(() => rm(parent, { recursive: true, force: true }));

  it('makes a classic script of the content script, and gives web pages no access to files', async () => {
    expect(printed).not.toMatch(/warn|crx:/iu);
    for (const browser of browserNames) {
      const built = join(folder, 'dist', browser);
      const manifest: unknown = JSON.parse(await readFile(join(built, 'manifest.json'), 'utf8'));
      const script = await readFile(join(built, 'src/features/planted/content.js'), 'utf8');
      expect(manifest).toMatchObject({
        content_scripts: [
          { matches: MATCHES, js: ['src/features/planted/content.js'], run_at: 'document_end' },
        ],
      });
      expect(manifest).not.toHaveProperty('web_accessible_resources');
      // The constructor throws for text with `import` or `export`, which only a module may have.
      expect(() => new Script(script)).not.toThrow();
    }
  });

  // https://github.com/Shopify/hydrogen/pull/2006
  it('has a file for a small image of a page, because the policy of the pages allows no `data:` URL', async () => {
    const built = [...(await readBuilds(folder))];

    expect(built.filter(([, content]) => content.includes('data:image')).map(([path]) => path)).toEqual([]);
    expect(built.filter(([path]) => /dot-.*\.svg$/u.test(path))).toHaveLength(browserNames.length);
  });

  // https://github.com/wxt-dev/wxt/issues/392
  it('takes `import.meta.url` of the worker for the address of the extension', async () => {
    const worker = await readFile(join(folder, 'dist/chromium/worker.js'), 'utf8');

    expect(worker).toContain('console.log(self.location.href');
  });

  it('has the settings of vite.config.ts, tsconfig.json and .env in pages, the background and content scripts', async () => {
    const built = await readBuilds(folder);
    const pages = [...built].filter(([path]) => path.startsWith('chromium/assets/'));
    const page = pages.map(([, content]) => content).join('\n');
    const paths = ['worker.js', 'src/features/planted/content.js'].map((path) => `chromium/${path}`);

    for (const text of [page, ...paths.map((path) => built.get(path) ?? '')]) {
      expect(provided.filter((value) => !text.includes(value))).toEqual([]);
    }
    expect(built.get('chromium/src/popup/index.html')).toContain('<title>from-env</title>');
    expect(page).toMatch(/\.first\{--color:a\}\.panel\{--color:b\}/u);
  });

  it('has all styles of a content script in one text, and adds none to the web page', async () => {
    const script = await readFile(join(folder, 'dist/chromium/src/features/planted/content.js'), 'utf8');

    expect(script).toMatch(/"\.first\{--color:a\}\.panel\{--color:b\}\._part_\w+\{--color:c\}/u);
    expect(script).toMatch(/[^.]_part_\w+[^\w{]/u);
    expect(script).not.toContain('document.head');
  });

  it('has the settings of the development server', async () => {
    const served = await runInCopy(folder, 'tsx/dist/cli.mjs', 'serve.ts');

    expect(provided.filter((value) => !served.includes(value))).toEqual([]);
    expect(served).toContain('.first { --color: a }\\n.panel');
  });

  it('has the settings of unit tests and of tests in browsers', async () => {
    const args = ['list', '--project=unit', '--project=chromium', 'planted'];

    const listed = await runInCopy(folder, 'vitest/vitest.mjs', ...args);

    const all = provided.join();
    expect(listed.trim().split('\n').toSorted()).toEqual([
      `[chromium] tests/browser/planted.test.ts > ${all}`,
      `[unit] tests/planted.test.ts > ${all}`,
    ]);
  });

  it('has nothing of the environment, of files that are not committed or of a parent folder', async () => {
    const clean = await readBuilds(folder);
    const secret = 'VITE_PLANTED=canary-of-a-file\nNODE_ENV=development\nVITE_USER_NODE_ENV=development\n';
    const files = ['.env.local', '.env.chromium', '.env.development', '.env.production.local'];
    await writeFiles(folder, Object.fromEntries(files.map((file) => [file, secret])));
    await writeFiles(parent, { 'postcss.config.cjs': 'throw new Error("canary-of-a-parent");\n' });
    vi.stubEnv('VITE_PLANTED', 'canary-of-the-environment');
    vi.stubEnv('VITE_USER_NODE_ENV', 'development');
    onTestFinished(() => void vi.unstubAllEnvs());

    await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', 'chromium');

    const built = await readBuilds(folder);
    const changed = [...built].filter(([path, content]) => content !== clean.get(path));
    expect(changed.map(([path]) => path)).toEqual([]);
    expect([...built.keys()]).toEqual([...clean.keys()]);
  });
});

interface Refusal {
  readonly what: string;
  readonly changes: Files;
  readonly message: RegExp;
}

const refusals: readonly Refusal[] = [
  {
    what: 'a page that imports a background, with the names of both files',
    changes: {
      'src/features/planted/planted.background.ts': 'export const planted = 1;\n',
      'src/popup/main.tsx': (text) =>
        `import { planted } from '../features/planted/planted.background.ts';\n${text}\nconsole.log(planted);\n`,
    },
    message:
      /src\/popup\/main\.tsx brings \S*src\/features\/planted\/planted\.background\.ts into a page\. Import only its types/u,
  },
  {
    // https://github.com/crxjs/chrome-extension-tools/issues/592
    what: '`import()` in a content script',
    changes: { 'src/features/planted/content.ts': "void import('../../callers.ts').then(console.log);\n" },
    message:
      /src\/features\/planted\/content\.ts uses `import\(\)` or `import\.meta`, .* Import the module at the top of the file,/u,
  },
  {
    what: '`import.meta.url` of a content script',
    changes: { 'src/features/planted/content.ts': 'console.log(import.meta.url);\n' },
    message:
      /src\/features\/planted\/content\.ts uses `import\(\)` or `import\.meta`, which a classic script does not have\./u,
  },
  {
    what: 'a content script that imports styles and does not use them',
    changes: {
      'src/features/planted/panel.css': '.panel { --color: b }',
      'src/features/planted/content.ts': "import './panel.css';\n",
    },
    message: /planted\/content\.ts imports styles, and does not give them to its shadow root\./u,
  },
  {
    what: 'a background that imports styles',
    changes: {
      'src/features/planted/panel.css': '.panel { --color: b }',
      'src/background/main.ts': (text) => `${text}\nimport '../features/planted/panel.css';\n`,
    },
    message: /src\/background\/main\.ts must become one file, but imports .*\.css\./u,
  },
  {
    what: 'a variable that no .env file has, with its place',
    changes: { 'src/features/planted/content.ts': '\nconsole.log(import.meta.env.VITE_NONE);\n' },
    message:
      /src\/features\/planted\/content\.ts:2 reads VITE_NONE, which \.env and \.env\.production do not have\./u,
  },
  {
    // https://github.com/crxjs/chrome-extension-tools/issues/863
    what: 'a content script with a large image, which it would look for on the web page',
    changes: {
      'src/features/planted/large.svg': `<svg xmlns="http://www.w3.org/2000/svg"/><!--${'x'.repeat(5_000)}-->`,
      'src/features/planted/content.ts': "import large from './large.svg';\nconsole.log(large);\n",
    },
    message: /planted\/content\.ts must become one file, but imports assets\/large/u,
  },
  {
    what: 'a background that throws at its start, with its error',
    changes: {
      'src/features/planted/background.ts':
        "import { defineDocument, defineFeature } from '../../define.ts';\n" +
        "import * as v from 'valibot';\n" +
        "const one = defineDocument({ key: 'planted', schema: v.number(), initial: 0 });\n" +
        "const two = defineDocument({ key: 'planted', schema: v.number(), initial: 1 });\n" +
        'export const plantedFeature = defineFeature({ documents: [one, two] });\n',
      'src/background/features.ts': (text) =>
        `import { plantedFeature } from '../features/planted/background.ts';\n${text}`.replace(
          '  aboutFeature,\n',
          '  aboutFeature,\n  plantedFeature,\n',
        ),
    },
    message:
      /worker\.js throws an error at its start, so no page can reach the background: TypeError: Two documents or collections have the key "planted"\./u,
  },
];

/** Builds with the files of each refusal, one after the other in one process. Prints the messages as JSON. */
const TRY = `
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { buildExtension } from './scripts/build-extension.ts';

const messages = [];
for (const files of JSON.parse(readFileSync('refusals.json', 'utf8'))) {
  const before = Object.keys(files).map((path) => [path, existsSync(path) ? readFileSync(path) : undefined]);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  messages.push(await buildExtension('chromium').catch((error) => error.message));
  for (const [path, text] of before) text === undefined ? rmSync(path) : writeFileSync(path, text);
}
writeFileSync('messages.json', JSON.stringify(messages));
`;

describe('a build refuses', () => {
  let folder = '';
  let messages: readonly string[] = [];

  beforeAll(async () => {
    folder = await copyProject();
    const all = await Promise.all(refusals.map(({ changes }) => changedFiles(folder, changes)));
    await writeFiles(folder, { 'try.ts': TRY, 'refusals.json': JSON.stringify(all) });
    await runInCopy(folder, 'tsx/dist/cli.mjs', 'try.ts');
    messages = JSON.parse(await readFile(join(folder, 'messages.json'), 'utf8')) as readonly string[];
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(refusals.map(({ what, message }, index) => [what, message, index] as const))(
    '%s',
    (_what, message, index) => {
      expect(messages[index]).toMatch(message);
    },
  );
});

/** Returns the texts that files of a folder have after changes. */
async function changedFiles(folder: string, changes: Files): Promise<Files> {
  const texts = Object.entries(changes).map(async ([path, change]) => [
    path,
    typeof change === 'function' ? change(await readFile(join(folder, path), 'utf8')) : change,
  ]);
  return Object.fromEntries(await Promise.all(texts)) as Files;
}

/** Returns the contents of all files of both builds by path. */
async function readBuilds(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = await readBuild(join(folder, 'dist'));
  return new Map([...files].map(([path, content]) => [path, content.toString('latin1')]));
}
