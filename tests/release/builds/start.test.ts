import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished, vi } from 'vitest';

import { projectFolder } from '../../../scripts/project-folder.ts';
import { createTemporaryFolder, writeFiles } from '../../support/temporary-folder.ts';

/** Milliseconds within which a build ends on a busy machine. */
const LIMIT = 120_000;

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
