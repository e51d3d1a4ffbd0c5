import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { expect, it, vi } from 'vitest';

import { findInstalled } from '../scripts/find-installed.ts';
import { projectFolder } from '../scripts/project-folder.ts';
import { createTemporaryFolder, writeFiles } from './support/temporary-folder.ts';

// Commands take some seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Forbidden imports, by the file that has them. */
const refused = {
  'src/connect.ts': './background/features.ts',
  'src/messaging/wire/layer.ts': '../define/procedures.ts',
  'src/messaging/define/layer.ts': '../state/turn.ts',
  'src/messaging/define/above.ts': '../index.ts',
  'src/messaging/define/core.ts': '../../features/one/background.ts',
  'src/messaging/define/package.ts': 'valibot',
  'src/messaging/state/layer.ts': '../queue/queue.ts',
  'src/messaging/server/layer.ts': '../queue/queue.ts',
  'src/messaging/queue/above.ts': '../background.ts',
  'src/messaging/queue/layer.ts': '../client/client.ts',
  'src/messaging/client/layer.ts': '../state/turn.ts',
  'src/messaging/client/values.ts': '../define/documents.ts',
  'src/messaging/react/layer.ts': '../server/call.ts',
  'src/messaging/background.ts': '../platform/port.ts',
  'src/messaging/react/dom.ts': 'react-dom',
  'src/messaging/react/core.ts': '../../ui/view.tsx',
  'src/callers.ts': './features/one/background.ts',
  'src/platform/adapter.ts': '../callers.ts',
  'src/ui/hook.ts': '../features/one/options.tsx',
  'src/ui/browser.ts': 'webextension-polyfill',
  'src/ui/features.ts': '../background/features.ts',
  'src/background/main.ts': '../features/one/options.tsx',
  'src/background/list.ts': '../features/one/content.ts',
  'src/options/main.tsx': '../background/features.ts',
  'src/options/view.tsx': '../features/one/background.ts',
  'src/options/browser.tsx': '../platform/port.ts',
  'src/popup/main.tsx': '../features/one/list.background.ts',
  'src/popup/popup.tsx': '../options/options.tsx',
  'src/popup/part.tsx': '../features/one/background/list.ts',
  'src/features/one/background.ts': './options.tsx',
  'src/features/one/list.background.ts': '../two/background.ts',
  'src/features/one/background/list.ts': '../../../ui/view.tsx',
  'src/features/one/background/other.ts': '../../two/background.ts',
  'src/features/one/content.ts': './background.ts',
  'src/features/one/options.tsx': './background.ts',
  'src/features/one/popup.tsx': '../two/options.tsx',
  'src/features/one/values.ts': 'valibot',
  'src/features/one/browser.ts': 'webextension-polyfill',
  'src/features/one/list.ts': '../../background/features.ts',
  'src/features/one/port.ts': '../../platform/port.ts',
  'src/features/one/build/plugin.ts': '../../../../scripts/command.ts',
  'src/features/one/parts/part.tsx': '../background.ts',
  'src/features/one/parts/other.ts': '../../two/theme.tsx',
};

/** Similar imports that are allowed. */
const allowed = {
  'src/messaging/queue/queue.ts': '../state/turn.ts',
  'src/messaging/client/client.ts': '../wire/frames.ts',
  'src/messaging/react/hooks.ts': 'react',
  'src/messaging/index.ts': './define/tasks.ts',
  'src/platform/start.ts': '../messaging/index.ts',
  'src/define.ts': './messaging/procedures.ts',
  'src/background/features.ts': '../features/one/background.ts',
  'src/background/start.ts': '../platform/start.ts',
  'src/options/views.tsx': '../features/one/options.tsx',
  'src/features/two/background.ts': 'webextension-polyfill',
  'src/features/two/list.background.ts': 'valibot',
  'src/features/two/values.background.ts': './values.ts',
  'src/features/two/background/list.ts': '../values.ts',
  'src/features/two/content.ts': '../../connect.ts',
  'src/features/two/content.tsx': 'webextension-polyfill',
  'src/features/two/options.tsx': './values.ts',
  'src/features/two/parts/part.tsx': '../../../ui/view.tsx',
};

/** Imports that are allowed since they import only types. */
const types = {
  'src/messaging/wire/schemas.ts': '@standard-schema/spec',
  'src/messaging/client/types.ts': '../define/procedures.ts',
  'src/ui/types.ts': '../background/features.ts',
  'src/options/types.tsx': '../background/features.ts',
  'src/features/three/options.tsx': './background.ts',
  'src/features/three/content.ts': './list.background.ts',
  'src/features/three/background.ts': '../one/background.ts',
  'src/features/three/parts/part.tsx': '../../one/background.ts',
};

it.each([
  ['relative paths', (_: string, imported: string) => imported],
  ['the alias `@/`', toAlias],
])('the linter refuses forbidden imports by %s, and allows similar ones', async (_paths, write) => {
  const folder = await createTemporaryFolder('imports');
  await cp(join(projectFolder, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  const files: Record<string, string> = {};
  for (const [path, imported] of Object.entries({ ...refused, ...allowed })) {
    files[path] = `export { planted } from '${write(path, imported)}';\n`;
  }
  for (const [path, imported] of Object.entries(types)) {
    files[path] = `export type { Planted } from '${write(path, imported)}';\n`;
  }
  await writeFiles(folder, files);

  expect(await lint(folder)).toEqual(Object.keys(refused).toSorted());
});

/** Returns an import by the alias. A feature and the core, which is also a package, import their own files by relative paths. */
function toAlias(path: string, imported: string): string {
  const target = imported.startsWith('.') ? posix.join(posix.dirname(path), imported) : imported;
  const [own] = /^src\/(?:messaging|platform|features\/\w+)\//u.exec(path) ?? [];
  const isOwn = own !== undefined && target.startsWith(own === 'src/platform/' ? 'src/messaging/' : own);
  return isOwn || !target.startsWith('src/') ? imported : target.replace('src/', '@/');
}

/** Returns the files whose imports the linter refuses. */
function lint(folder: string): Promise<readonly string[]> {
  const oxlint = findInstalled('oxlint/bin/oxlint');
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
