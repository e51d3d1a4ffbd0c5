import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

import { projectFolder } from '../scripts/project-folder.ts';
import { createTemporaryFolder } from './support/temporary-folder.ts';

/** Forbidden imports, by the file that has them. */
const refused = {
  'src/messaging/core.ts': '../features/one/contract.ts',
  'src/messaging/client/core.ts': 'valibot',
  'src/contract.ts': './features/one/background.ts',
  'src/platform/adapter.ts': '../features/one/contract.ts',
  'src/ui/hook.ts': '../features/one/contract.ts',
  'src/background/main.ts': '../features/one/options.tsx',
  'src/background/joined.ts': '../features/one/options.tsx',
  'src/options/main.tsx': '../features/one/background.ts',
  'src/options/view.tsx': '../features/one/background.ts',
  'src/options/browser.tsx': '../platform/browser.ts',
  'src/popup/main.tsx': '../features/one/background.ts',
  'src/popup/popup.tsx': '../options/options.tsx',
  'src/features/one/contract.ts': './background.ts',
  'src/features/one/background.ts': './options.tsx',
  'src/features/one/options.tsx': './background.ts',
  'src/features/one/popup.tsx': '../two/options.tsx',
  'src/features/one/schema.ts': 'valibot',
  'src/features/one/browser.ts': '../../platform/browser.ts',
  'src/features/one/parts/part.tsx': '../background.ts',
  'src/features/one/parts/other.ts': '../../two/theme.tsx',
  'src/features/one/build/plugin.ts': '../../two/parse.ts',
};

/** Similar imports that are allowed. */
const allowed = {
  'src/background/features.ts': '../features/one/background.ts',
  'src/options/views.tsx': '../features/one/options.tsx',
  'src/features/two/contract.ts': '../one/contract.ts',
  'src/features/two/background.ts': 'valibot',
  'src/features/two/options.tsx': '../one/contract.ts',
  'src/features/two/parts/part.tsx': '../../../ui/view.tsx',
  'src/features/two/parts/other.ts': '../../one/contract.ts',
};

it('the linter refuses forbidden imports between layers and features, and allows similar ones', async () => {
  const folder = await createTemporaryFolder('imports');
  await cp(join(projectFolder, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [path, imported] of Object.entries({ ...refused, ...allowed })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `export { planted } from '${imported}';\n`);
  }

  expect(await lint(folder)).toEqual(Object.keys(refused).toSorted());
});

/** Returns the files whose imports the linter refuses. */
function lint(folder: string): Promise<readonly string[]> {
  const oxlint = join(projectFolder, 'node_modules/oxlint/bin/oxlint');
  return new Promise((resolve) => {
    execFile(process.execPath, [oxlint, '--format=json'], { cwd: folder }, (_, stdout) => {
      const { diagnostics } = JSON.parse(stdout) as {
        readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
      };
      const restricted = diagnostics.filter(({ code }) => code.includes('no-restricted-imports'));
      resolve([...new Set(restricted.map(({ filename }) => filename))].toSorted());
    });
  });
}
