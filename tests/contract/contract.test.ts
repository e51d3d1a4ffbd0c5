import { expect, it } from 'vitest';

import { contract } from '../../src/contract.ts';

it('only the options page may change anything', () => {
  const mutations = Object.values(contract).filter(({ kind }) => kind === 'mutation');

  expect(new Set(mutations.flatMap(({ callers }) => callers))).toEqual(new Set(['options']));
});
