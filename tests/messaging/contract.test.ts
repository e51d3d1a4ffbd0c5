import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineCallers, page } from '../../src/messaging/callers.ts';
import { defineContract, mutation, query, subscription } from '../../src/messaging/contract.ts';

const schema = v.number();
const procedure = query({ callers: ['popup'], output: schema });

it('has the procedures of all its records, with their defaults', () => {
  const callers = defineCallers({ popup: page('popup.html') });
  const shared = { callers: ['popup'], errors: {}, effect: 'state', maxSize: 4 * 1024 * 1024 };

  const contract = defineContract(
    callers,
    { 'one.read': query({ callers: ['popup'], output: schema }) },
    { 'two.change': mutation({ callers: ['popup'], output: schema }) },
    { 'three.watch': subscription({ callers: ['popup'], output: schema }) },
  );

  expect(contract).toEqual({
    'one.read': { ...shared, kind: 'query', output: schema },
    'two.change': { ...shared, kind: 'mutation', output: schema },
    'three.watch': { ...shared, kind: 'subscription', output: schema },
  });
});

it('rejects a name of more than 100 characters, which no frame may have', () => {
  const callers = defineCallers({ popup: page('popup.html') });
  const declare = (name: `a.${string}`) => {
    const record: Record<`a.${string}`, typeof procedure> = {};
    record[name] = procedure;
    return defineContract(callers, record);
  };
  const longest: `a.${string}` = `a.${'b'.repeat(98)}`;

  expect(Object.keys(declare(longest))).toEqual([longest]);
  expect(() => declare(`${longest}b`)).toThrow(`"${longest}b" has more than 100 characters.`);
});

it('rejects two records with a procedure of the same name', () => {
  const callers = defineCallers({ popup: page('popup.html') });
  const tags = { 'tags.count': query({ callers: ['popup'], output: schema }) };

  expect(() => defineContract(callers, tags, { ...tags })).toThrow(
    'Two procedures have the name "tags.count".',
  );
});
