import { spawn } from 'node:child_process';
import { once } from 'node:events';

// npm run check and npm test: run all parts, also if one fails. `npm test` also builds the packages, and runs the tests of
// the builds in both browsers. The last lines name the parts that failed, and the last one is a summary
// (tests/support/summary-reporter.ts).
const isQuick = process.argv.includes('--quick');
const parts: Readonly<Record<string, string>> = {
  'oxfmt (npm run format)': 'oxfmt --check',
  'oxlint (npm run lint)': 'oxlint --type-aware --type-check --deny-warnings',
  'knip (npm run lint)': 'knip',
  ...(!isQuick && { 'the packages (npm run package)': 'npm run package -- --dirty' }),
};
const results = await Promise.all(
  Object.entries(parts).map(async ([name, command]) => ((await run(command)) ? [] : [name])),
);
const failed = results.flat();
const projects = isQuick
  ? '--project unit'
  : '--project unit --project builds --project chromium --project firefox';
const hasPassed = await run(`vitest run ${projects}`, { FAILED_PARTS: JSON.stringify(failed) });
process.exitCode = failed.length === 0 && hasPassed ? 0 : 1;

async function run(command: string, environment: Readonly<Record<string, string>> = {}): Promise<boolean> {
  const env = { ...process.env, ...environment };
  const child = spawn(command, { shell: true, stdio: 'inherit', env });
  return (await once(child, 'close'))[0] === 0;
}
