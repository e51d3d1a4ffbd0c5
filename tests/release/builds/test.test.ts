import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

import { findInstalled } from '../../../scripts/find-installed.ts';
import { projectFolder } from '../../../scripts/project-folder.ts';
import { linkPackages } from '../../support/project-copy.ts';
import { createTemporaryFolder, writeFiles } from '../../support/temporary-folder.ts';

const TESTS = `
import { beforeAll, describe, it } from 'vitest';
it('passes', () => {});
it('fails', () => { throw new Error('as planned'); });
describe('a suite', () => {
  beforeAll(() => { throw new Error('as planned'); });
  it('does not run', () => {});
});
`;

it.skipIf(process.platform === 'win32')(
  'the last lines of `npm run check` name what failed, and count tests, suites and parts',
  async () => {
    const folder = await createTemporaryFolder('summary');
    const reporter = JSON.stringify(join(projectFolder, 'tests/support/summary-reporter.ts'));
    const project = `{ test: { name: 'unit', include: ['*.test.js'] } }`;
    await linkPackages(folder);
    await writeFiles(folder, {
      'good.test.js': `import { it } from 'vitest'; it('passes', () => {});`,
      'some.test.js': TESTS,
      'vitest.config.ts': `import { SummaryReporter } from ${reporter};
        export default { test: { reporters: [new SummaryReporter()], projects: [${project}] } };`,
    });
    const vitest = `exec "${process.execPath}" "${findInstalled('vitest/vitest.mjs')}" "$@"`;
    const tools = { oxfmt: 'exit 0', oxlint: 'exit 1', knip: 'exit 0', vitest };
    for (const [tool, command] of Object.entries(tools)) {
      await writeFiles(folder, { [`tools/${tool}`]: `#!/bin/sh\n${command}\n` });
      await chmod(join(folder, 'tools', tool), 0o755);
    }
    const paths = [join(folder, 'tools'), process.env['PATH']];
    const loader = pathToFileURL(join(projectFolder, 'scripts/typescript.mjs')).href;
    const command = ['--import', loader, join(projectFolder, 'scripts/test.ts'), '--quick'];
    const env = { ...process.env, PATH: paths.join(delimiter), VITEST: undefined };

    const running = promisify(execFile)(process.execPath, command, { cwd: folder, env });

    await expect(running).rejects.toMatchObject({
      code: 1,
      stdout: 'Failed: oxlint (npm run lint)\nFailed: some.test.js (unit)\n2 passed, 3 failed\n',
    });
  },
);
