import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';

import { browserNames } from '../../scripts/browsers/find-browser.ts';
import { readBuild } from '../../scripts/check-build.ts';
import { copyProject, runInCopy } from '../support/project-copy.ts';
import { createTemporaryFolder, type Files, writeFiles } from '../support/temporary-folder.ts';

const MATCHES = ['http://127.0.0.1/*'];

it('a content script becomes a classic script, and web pages get no access to files', async () => {
  const folder = await createCopy({
    'src/features/planted/content.ts':
      "import { greeting } from './greeting.ts';\ndocument.title = greeting;\n",
    'src/features/planted/greeting.ts': "export const greeting = 'Hello';\n",
    'manifest.json': (text) => {
      const scripts = [{ matches: MATCHES, js: ['src/features/planted/content.ts'], run_at: 'document_end' }];
      return JSON.stringify({ ...(JSON.parse(text) as object), content_scripts: scripts });
    },
    'src/callers.ts': (text) =>
      text.replace(
        'defineCallers({',
        `defineCallers({ planted: { kind: 'contentScript', matches: ${JSON.stringify(MATCHES)}, maxSize: 1, maxCalls: 1 },`,
      ),
  });

  const printed = await build(folder);

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
    expect(script).toContain('Hello');
    // The constructor throws for text with `import` or `export`, which only a module may have.
    expect(() => new Script(script)).not.toThrow();
  }
});

it('a page that imports a background is refused, with the names of both files', async () => {
  const folder = await createCopy({
    'src/features/planted/planted.background.ts': 'export const planted = 1;\n',
    'src/popup/main.tsx': (text) =>
      `import { planted } from '../features/planted/planted.background.ts';\n${text}\nconsole.log(planted);\n`,
  });

  await expect(build(folder)).rejects.toThrow(
    /src\/popup\/main\.tsx brings \S*src\/features\/planted\/planted\.background\.ts into a page\. Import only its types/,
  );
});

// https://github.com/Shopify/hydrogen/pull/2006
it('a small image of a page is a file, because the policy of the pages allows no `data:` URL', async () => {
  const folder = await createCopy({
    'src/popup/dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>',
    'src/popup/main.tsx': (text) => `import dot from './dot.svg';\n${text}\ndocument.title = dot;\n`,
    'src/popup/popup.css': (text) => `${text}\n.dot { background: url(./dot.svg); }\n`,
  });

  await build(folder);

  const built = [...(await readBuilds(folder))];
  expect(built.filter(([, content]) => content.includes('data:image')).map(([path]) => path)).toEqual([]);
  expect(built.filter(([path]) => /dot-.*\.svg$/u.test(path))).toHaveLength(browserNames.length);
});

// https://github.com/wxt-dev/wxt/issues/392
it('`import.meta.url` is the address of the extension in the worker, and is refused in a content script', async () => {
  const use = 'console.log(import.meta.url);\n';
  const folder = await createCopy({ 'src/background/main.ts': (text) => text + use });
  await build(folder);

  const worker = await readFile(join(folder, 'dist/chromium/worker.js'), 'utf8');
  expect(worker).toContain('console.log(self.location.href)');
  await writeFiles(folder, { 'src/features/planted/content.ts': use });
  await expect(build(folder)).rejects.toThrow(
    'src/features/planted/content.ts uses `import.meta`, which a classic script does not have.',
  );
});

// https://github.com/crxjs/chrome-extension-tools/issues/863
it('a content script with a large image is refused, because it would look for the image on the web page', async () => {
  const folder = await createCopy({
    'src/features/planted/large.svg': `<svg xmlns="http://www.w3.org/2000/svg"/><!--${'x'.repeat(5_000)}-->`,
    'src/features/planted/content.ts': "import large from './large.svg';\nconsole.log(large);\n",
  });

  await expect(build(folder)).rejects.toThrow(
    /planted\/content\.ts must become one file, but imports assets\/large/u,
  );
});

it('a background that throws at its start is refused, with its error', async () => {
  const folder = await createCopy({
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
  });

  await expect(build(folder)).rejects.toThrow(
    'worker.js throws an error at its start, so no page can reach the background: TypeError: Two documents or collections have the key "planted".',
  );
});

it('no variable of the environment, of an .env file or of a parent folder reaches a build', async () => {
  const parent = await createTemporaryFolder('parent');
  const folder = join(parent, 'project');
  const copy = await createCopy({
    // All three read the environment in the ways that Vite supports.
    'src/features/planted/content.ts': 'document.title = import.meta.env.VITE_CANARY;\n',
    'src/background/main.ts': (text) => `${text}\nconsole.log(import.meta.env.VITE_CANARY);\n`,
    'src/popup/main.tsx': (text) =>
      `${text}\nconsole.log(import.meta.env.VITE_CANARY, import.meta.env.MODE);\n`,
    'src/popup/index.html': (text) => text.replace('</title>', ' %VITE_CANARY%</title>'),
  });
  await rename(copy, folder);
  await build(folder);
  const clean = await readBuilds(folder);

  const files = ['.env', '.env.local', '.env.chromium', '.env.firefox.local', '.env.production.local'];
  const secret = 'VITE_CANARY=canary-of-a-file\nNODE_ENV=development\nVITE_USER_NODE_ENV=development\n';
  await writeFiles(folder, Object.fromEntries(files.map((file) => [file, secret])));
  await writeFiles(parent, { 'postcss.config.cjs': 'throw new Error("canary-of-a-parent");\n' });
  vi.stubEnv('VITE_CANARY', 'canary-of-the-environment');
  vi.stubEnv('VITE_USER_NODE_ENV', 'development');
  onTestFinished(() => void vi.unstubAllEnvs());
  await build(folder);

  const built = await readBuilds(folder);
  const pathsWith = (isWrong: (content: string, path: string) => boolean): readonly string[] =>
    [...built].filter(([path, content]) => isWrong(content, path)).map(([path]) => path);
  expect(pathsWith((content) => content.includes('canary-of'))).toEqual([]);
  expect(pathsWith((content, path) => content !== clean.get(path))).toEqual([]);
  expect([...built.keys()]).toEqual([...clean.keys()]);
});

it('a build that has all of the environment is refused', async () => {
  const folder = await createCopy({
    'src/popup/main.tsx': (text) => `${text}\nconsole.log(import.meta.env);\n`,
  });

  await expect(build(folder)).rejects.toThrow('has all of `import.meta.env`, which can have a secret.');
});

/** Returns the contents of all files of both builds by path. */
async function readBuilds(folder: string): Promise<ReadonlyMap<string, string>> {
  const files = await readBuild(join(folder, 'dist'));
  return new Map([...files].map(([path, content]) => [path, content.toString('latin1')]));
}

function build(folder: string): Promise<string> {
  return runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts');
}

/** Copies the project, and changes or adds files. */
async function createCopy(changes: Files): Promise<string> {
  const folder = await copyProject();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFiles(folder, changes);
  return folder;
}
