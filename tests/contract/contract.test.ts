import { describe, expect, it } from 'vitest';

import { contract } from '../../src/contract/contract.ts';
import { pages } from '../../src/contract/pages.ts';

describe('the contract', () => {
  it('lets only the extension’s own pages call', () => {
    const callers = Object.values(contract).flatMap((procedure) => procedure.callers);

    expect(Object.keys(pages)).toEqual(expect.arrayContaining([...new Set(callers)]));
  });

  it('lets only the options page change anything', () => {
    const mutations = Object.values(contract).filter(({ kind }) => kind === 'mutation');

    expect([...new Set(mutations.flatMap(({ callers }) => callers))]).toEqual(['options']);
  });
});
