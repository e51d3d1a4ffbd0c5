import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { faults } from './faults.ts';

it('each planted fault has one place in the core, as it is now', () => {
  const misplaced = faults.filter(
    ({ file, find }) => readFileSync(`src/messaging/${file}`, 'utf8').split(find).length !== 2,
  );

  expect(faults.length).toBeGreaterThan(25);
  expect(misplaced).toEqual([]);
});
