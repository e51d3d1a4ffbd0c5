import { spawn } from 'node:child_process';
import { once } from 'node:events';

// npm run check and npm test: run all parts, also if one fails. `npm test` also builds the packages, and runs the tests of
// the builds in both browsers. The last line is a summary (tests/support/summary-reporter.ts).
const isQuick = process.argv.includes('--quick');
const parts = ['oxfmt --check', 'oxlint --type-aware --deny-warnings', 'knip', 'tsc'];
const others = isQuick ? [] : ['npm run package -- --dirty'];
const passed = await Promise.all([...parts, ...others].map((command) => run(command)));
const failed = passed.filter((isPassed) => !isPassed).length;
const projects = isQuick ? 'unit' : '"!soak-*"';
const hasPassed = await run(`vitest run --project ${projects}`, { FAILED_PARTS: String(failed) });
process.exitCode = failed === 0 && hasPassed ? 0 : 1;

async function run(command: string, environment: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const env = { ...process.env, ...environment };
  const child = spawn(command, { shell: true, stdio: 'inherit', env });
  return (await once(child, 'close'))[0] === 0;
}
