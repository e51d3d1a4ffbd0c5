import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chmod, cp, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';

import { projectFolder } from '../../scripts/project-folder.ts';
import { linkPackages } from '../support/project-copy.ts';
import { createTemporaryFolder, writeFiles } from '../support/temporary-folder.ts';

/** Milliseconds within which a build ends on a busy machine. */
const LIMIT = 120_000;

it.each(['vite.config.ts', 'tsconfig.json'])('npm start builds again after a change of %s', async (file) => {
  const folder = await createTemporaryFolder('project');
  const copied = ['src', 'scripts', 'vite.config.ts', 'manifest.json', 'tsconfig.json', 'package.json'];
  copied.push('SPEC_GAPS.md');
  for (const path of copied) await cp(join(projectFolder, path), join(folder, path), { recursive: true });
  await linkPackages(folder);
  const code = `import { buildAfterChanges } from './scripts/build-after-changes.ts';
      buildAfterChanges('chromium', 'built', () => console.log('built'));`;
  const command = ['--import', './scripts/typescript.mjs', '--input-type=module', '--eval', code];
  const running = spawn(process.execPath, command, { cwd: folder });
  onTestFinished(async () => {
    running.kill();
    await once(running, 'close');
  });
  let builds = 0;
  running.stdout.on('data', () => (builds += 1));

  await vi.waitFor(() => expect(builds).toBeGreaterThan(0), { timeout: LIMIT });
  const before = builds;
  await appendFile(join(folder, file), '\n');

  await vi.waitFor(() => expect(builds).toBeGreaterThan(before), { timeout: LIMIT });
});

it.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'npm start leaves no process and no folder at %s, although the browser does not answer',
  async (signal) => {
    const folder = await createTemporaryFolder('browser');
    const executable = join(folder, 'browser');
    const script = `require('fs').writeFileSync(__filename + '.started', JSON.stringify([process.pid, process.argv]));\nsetInterval(() => {}, 1000);\n`;
    await writeFiles(folder, { browser: `#!${process.execPath}\n${script}` });
    await chmod(executable, 0o755);
    const loader = pathToFileURL(join(projectFolder, 'scripts/typescript.mjs')).href;
    const command = ['--import', loader, join(projectFolder, 'scripts/start.ts')];
    const env = { ...process.env, DISPLAY: ':99', CHROMIUM_PATH: executable };
    const start = spawn(process.execPath, command, { env, stdio: 'ignore' });
    onTestFinished(() => void start.kill('SIGKILL'));
    const started = await vi.waitFor(() => readFile(`${executable}.started`, 'utf8'), { timeout: LIMIT });
    const [pid, args] = JSON.parse(started) as [pid: number, args: readonly string[]];
    const profile = args.find((arg) => arg.startsWith('--user-data-dir='))?.split('=')[1] ?? '';

    start.kill(signal);
    await once(start, 'exit');

    expect(profile).toContain(join(projectFolder, '.cache'));
    expect(existsSync(dirname(profile))).toBe(false);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: LIMIT });
  },
);
