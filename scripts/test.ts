import { spawn } from 'node:child_process';
import { once } from 'node:events';

// npm test: runs the checks of `npm run check`, builds the packages, and runs all tests. If a part fails, the others
// still run. The last line is a summary (tests/support/summary-reporter.ts).
const parts = ['oxfmt --check', 'npm run lint', 'npm run typecheck', 'npm run package -- --dirty'];
const passed = await Promise.all(parts.map((command) => run(command)));
const failed = passed.filter((hasPassed) => !hasPassed).length;
const hasPassed = await run('vitest run --project "!soak-*"', { FAILED_PARTS: String(failed) });
process.exitCode = failed === 0 && hasPassed ? 0 : 1;

async function run(command: string, environment: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const env = { ...process.env, ...environment };
  const child = spawn(command, { shell: true, stdio: 'inherit', env });
  return (await once(child, 'close'))[0] === 0;
}
