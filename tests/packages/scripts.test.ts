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

/** Returns the contents of all files of both builds by path. */
async function readBuilds(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = await readBuild(join(folder, 'dist'));
  return new Map([...files].map(([path, content]) => [path, content.toString('latin1')]));
}
