import { spawnSync } from 'node:child_process';

// npm test: what `npm run check` does, the packages, which takes a build for each browser, and all tests. A part that
// fails does not keep the next one from being run. The last line sums up (tests/support/summary-reporter.ts).
const parts = ['oxfmt --check', 'npm run lint', 'npm run typecheck', 'npm run package -- --dirty'];
const failed = parts.filter((command) => !run(command));
const hasPassed = run('vitest run --project "!soak-*"', { FAILED_PARTS: String(failed.length) });
process.exitCode = failed.length === 0 && hasPassed ? 0 : 1;

function run(command: string, environment: Readonly<Record<string, string>> = {}): boolean {
  const env = { ...process.env, ...environment };
  return spawnSync(command, { shell: true, stdio: 'inherit', env }).status === 0;
}
