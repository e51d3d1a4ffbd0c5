import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runInCopy } from '../../support/project-copy.ts';
import { blocksOf, copyWithExample, exampleDocuments } from '../../docs/project-with-example.ts';

// tests/packages/adding-behaviour.test.ts has the other claims.
describe('a project with the blocks of all documents', () => {
  let folder = '';

  beforeAll(async () => {
    folder = await copyWithExample(exampleDocuments);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  const paths = [...new Set(exampleDocuments.flatMap(blocksOf).map(({ path }) => path))];

  it.each([
    ['has no unused code', /^$/, ['knip/bin/knip.js']],
    ['is formatted', /All matched/, ['oxfmt/bin/oxfmt', '--check', ...paths]],
    ['passes the linter', /0 errors/, ['oxlint/bin/oxlint', '--type-aware', '--deny-warnings', ...paths]],
  ] as const)('%s', async (_claim, printed, [script, ...args]) => {
    expect(await runInCopy(folder, script, ...args)).toMatch(printed);
  });

  it('has a worker whose source docs/recipes/debug-in-production.md finds', async () => {
    const commands = readFileSync('docs/recipes/debug-in-production.md', 'utf8');
    const [, args = ''] = /^npx vite (.*)$/m.exec(commands) ?? [];

    await runInCopy(folder, 'tsx/dist/cli.mjs', 'scripts/build.ts', '--browser', 'chromium');
    await runInCopy(folder, 'vite/bin/vite.js', ...args.split(' '));
    const mapped = await readFile(join(folder, '.cache/maps/worker.js'), 'utf8');
    const position = ['1', String(mapped.indexOf('was not adopted') + 1)];
    const script = join(folder, '.cache/find-source.mjs');
    const found = await runInCopy(folder, script, '.cache/maps/worker.js', ...position);

    expect(found).toContain('src/messaging/state/prepare.ts:');
    const released = await readFile(join(folder, 'dist/chromium/worker.js'), 'utf8');
    expect(mapped.slice(0, released.trimEnd().length)).toBe(released.trimEnd());
  });
});
