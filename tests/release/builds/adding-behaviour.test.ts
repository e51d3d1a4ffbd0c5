import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runInCopy } from '../../support/project-copy.ts';
import {
  applyExample,
  blocksOf,
  copyWithExample,
  exampleDocuments,
} from '../../docs/project-with-example.ts';

describe('a project with the blocks of all documents', () => {
  const paths = [...new Set(exampleDocuments.flatMap(blocksOf).map(({ path }) => path))];
  const tests = paths.filter((path) => /^tests\/.*\.test\.tsx?$/u.test(path) && !path.includes('/browser/'));
  const texts = () => Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')));
  let folder = '';
  const applied: (readonly string[])[] = [];

  beforeAll(async () => {
    folder = await copyWithExample(exampleDocuments);
    applied.push(await texts());
    await applyExample(folder, exampleDocuments);
    applied.push(await texts());
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('does not change when they are applied again, as after a person has typed them', () => {
    expect(applied[1]).toEqual(applied[0]);
  });

  it.each([
    ['compiles', /^$/, ['typescript/bin/tsc']],
    [
      'passes the tests of the blocks',
      /Test Files +\d+ passed/,
      ['vitest/vitest.mjs', 'run', '--project=unit', ...tests],
    ],
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
