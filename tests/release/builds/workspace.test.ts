import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { linkPackages, runInCopy } from '../../support/project-copy.ts';
import { createTemporaryFolder, writeFiles } from '../../support/temporary-folder.ts';

const COMPILE = `
import { runCommand } from './scripts/command.ts';
import { compileCore } from './scripts/package-core.ts';
await runCommand(compileCore);
`;

it('finds a tool that npm has installed above the project, and shows what the tool says', async () => {
  const workspace = await createTemporaryFolder('workspace');
  await linkPackages(workspace);
  await rm(join(workspace, 'node_modules/typescript'), { recursive: true });
  const project = join(workspace, 'packages/extension');
  for (const path of ['src', 'scripts', 'package.json', 'manifest.json', 'vite.config.ts'])
    await cp(path, join(project, path), { recursive: true });
  await writeFiles(workspace, {
    'node_modules/typescript/bin/tsc': `console.error('Said by the tool of the workspace.'); process.exit(1);`,
    'packages/extension/compile.ts': COMPILE,
  });

  await expect(runInCopy(project, 'tsx/dist/cli.mjs', 'compile.ts')).rejects.toThrow(
    'The core does not compile without the rest of the project:\nSaid by the tool of the workspace.\n',
  );
});
