import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { runInCopy } from '../support/project-copy.ts';
import { createTemporaryFolder, writeFiles } from '../support/temporary-folder.ts';

// Commands take some seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const TESTS = `
import { beforeAll, describe, it } from 'vitest';
it('passes', () => {});
it('fails', () => { throw new Error('as planned'); });
describe('a suite', () => {
  beforeAll(() => { throw new Error('as planned'); });
  it('does not run', () => {});
});
`;

it('the summary counts failed tests, and suites that fail before their tests run', async () => {
  const folder = await createTemporaryFolder('summary');
  const reporter = JSON.stringify(join(projectFolder, 'tests/support/summary-reporter.ts'));
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  await writeFiles(folder, {
    'some.test.js': TESTS,
    'vitest.config.ts': `import { SummaryReporter } from ${reporter}; export default { test: { reporters: [new SummaryReporter()] } };`,
  });

  await expect(runInCopy(folder, 'vitest/vitest.mjs', 'run')).rejects.toThrow('1 passed, 2 failed');
});
