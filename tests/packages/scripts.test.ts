import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';

import { browserNames } from '../../scripts/browsers/find-browser.ts';
import { copyProject, runInCopy } from '../support/project-copy.ts';
import { type Files, writeFiles } from '../support/temporary-folder.ts';

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
