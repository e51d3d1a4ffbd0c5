import { expect, it } from 'vitest';

import { contract } from '../../src/contract/contract.ts';
import { pages } from '../../src/contract/pages.ts';

const procedures = Object.values(contract);

it('only the extension’s own pages may call', () => {
  const callers = procedures.flatMap((procedure) => procedure.callers);

  expect(Object.keys(pages)).toEqual(expect.arrayContaining([...new Set(callers)]));
});

it('only the options page may change anything', () => {
  const mutations = procedures.filter(({ kind }) => kind === 'mutation');

  expect([...new Set(mutations.flatMap(({ callers }) => callers))]).toEqual(['options']);
});
