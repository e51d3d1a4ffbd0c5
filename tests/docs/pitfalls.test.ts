import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

const facts = readFileSync('docs/pitfalls.md', 'utf8')
  .split(/\n\n|\n(?=- )/)
  .filter((block) => block.startsWith('- '))
  .map((fact) => fact.replaceAll(/\s+/g, ' ').trim());

it('has more than a handful of facts', () => {
  expect(facts.length).toBeGreaterThan(20);
});

it('names the source of every fact, or says that there is none', () => {
  const without = facts.filter((fact) => !/\((?:\[[^\]]+\]\(https:|not documented)/.test(fact));

  expect(without).toEqual([]);
});

it('names the test that covers every fact', () => {
  const without = facts.filter((fact) => !/: `tests\/[^)]*\)$/.test(fact));

  expect(without).toEqual([]);
});
