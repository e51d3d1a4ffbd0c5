import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

const rows = readFileSync('docs/pitfalls.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| fact'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('has more than a handful of facts, each in a row of its own', () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter((row) => row.length !== 5)).toEqual([]);
});

it('names a source of every fact, or says that there is none', () => {
  const without = rows.filter(([, , source = '']) => !/\]\(https:|^not documented$|^the same/.test(source));

  expect(without).toEqual([]);
});

it('names the test that holds every fact', () => {
  const without = rows.filter(([, , , held = '']) => !/`tests\/|^the same, in /.test(held));

  expect(without).toEqual([]);
});
