import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

import type { BrowserName } from './browser-name.ts';

const packages = { chromium: 'chromium', firefox: 'firefox-esr' } as const satisfies Record<
  BrowserName,
  string
>;

/** Whether this is Debian itself and we are root. Ubuntu's packages of these names only lead to snaps, which need a running snapd. */
export async function canInstallDebianPackage(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return process.getuid?.() === 0 && /^ID=debian$/m.test(release);
}

/** Rejects when `apt-get` cannot be started or fails. A run of `apt-get` elsewhere on the machine is waited for, up to 5 minutes. */
export async function installDebianPackage(browser: BrowserName): Promise<void> {
  const name = packages[browser];
  console.log(`No ${browser} found. Installing the Debian package ${name} with apt-get…`);
  const waitForOthers = ['-o', 'DPkg::Lock::Timeout=300'];
  await run('apt-get', [...waitForOthers, 'update']);
  await run('apt-get', [...waitForOthers, 'install', '--yes', name]);
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  const [code] = (await once(child, 'close')) as [code: number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code ?? 'a signal'}`);
}
