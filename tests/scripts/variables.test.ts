import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { expect, it, onTestFinished, vi } from 'vitest';

import { variables } from '../../scripts/variables.ts';
import { createTemporaryFolder, type Files, writeFiles } from '../support/temporary-folder.ts';

const API = { 'main.js': 'console.log(import.meta.env.VITE_API, import.meta.env.PROD);' };
/** Has what must not reach any code. */
const MACHINE = 'VITE_API=of this machine\nVITE_MACHINE=1\n';
const FILES = {
  '.env': 'VITE_API="of all"\nVITE_ALL=1\nSECRET=1\n',
  '.env.development': 'VITE_API=of development',
  '.env.production': 'VITE_API=of production',
  '.env.test': 'VITE_API=of tests',
  '.env.local': MACHINE,
  '.env.chromium': MACHINE,
  '.env.production.local': MACHINE,
};

it.each([
  ['production', 'chromium', 'console.log("of production", true);'],
  ['development', 'firefox', 'console.log("of development", false);'],
  ['test', 'test', 'console.log("of tests", false);'],
])(
  'with NODE_ENV %s and the mode %s, code gets the variables of the right files',
  async (env, mode, code) => {
    vi.stubEnv('VITE_API', 'of the environment');

    expect(await bundle({ ...FILES, ...API }, env, mode)).toContain(code);
  },
);

it('a variable that only .env has is in all parts, and a comment may name an unknown one', async () => {
  const main = '// import.meta.env.VITE_NONE\nconsole.log(import.meta.env.VITE_ALL);';

  expect(await bundle({ ...FILES, 'main.js': main })).toContain('console.log("1")');
});

it('nothing else of the files, and nothing of the environment, is in all of `import.meta.env`', async () => {
  vi.stubEnv('VITE_MACHINE', '1');

  const code = await bundle({ ...FILES, 'main.js': 'console.log(import.meta.env);' });

  expect(code).toContain('"VITE_ALL": "1"');
  expect(code).not.toMatch(/MACHINE|SECRET/u);
});

it.each([
  ['main.js', '\n\nconsole.log(import.meta.env.VITE_NONE);', 'main.js:3 reads VITE_NONE'],
  ['main.js', 'const { a } = import.meta.env.VITE_NONE.a;', 'main.js:1 reads VITE_NONE'],
  ['index.html', '<p>%VITE_NONE%</p>', 'index.html reads VITE_NONE'],
])('%s with %j is refused with the file and place', async (path, text, message) => {
  const written = bundle({ ...FILES, [path]: text }, 'production', 'chromium', path);

  await expect(written).rejects.toThrow(
    `${message}, which .env and .env.production do not have. Add it to one of them, and its type to src/env.d.ts.`,
  );
});

/** Bundles a file with the variables of its folder. Returns the code. */
async function bundle(
  files: Files,
  env = 'production',
  mode = 'chromium',
  input = 'main.js',
): Promise<string> {
  const root = await createTemporaryFolder('variables');
  await writeFiles(root, files);
  vi.stubEnv('NODE_ENV', env);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { output } = (await build({
    root,
    mode,
    configFile: false,
    logLevel: 'silent',
    plugins: [variables(root)],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: join(root, input) },
    },
  })) as Rolldown.RolldownOutput;
  return output[0].code;
}
