import * as v from 'valibot';
import { expect, it } from 'vitest';

import { defineContract, mutation, query } from '../../src/messaging/contract.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { testCallers } from '../support/counter.ts';

const notes = {
  'notes.count': query({ callers: ['options'], output: v.number() }),
  'notes.add': mutation({ callers: ['options'], input: v.string(), output: v.string() }),
};
const tags = { 'tags.count': query({ callers: ['options'], output: v.number() }) };

it('joins the procedures of several records', async () => {
  const world = createMemoryWorld({
    callers: testCallers,
    contract: defineContract(testCallers, notes, tags),
    documents: [],
    handlers: {
      'notes.count': () => 1,
      'notes.add': ({ input }) => input,
      'tags.count': () => 2,
    },
  });
  const { client } = world.openPage('options');

  expect(await client.query('notes.count')).toBe(1);
  expect(await client.mutate('notes.add', 'Water the plants')).toBe('Water the plants');
  expect(await client.query('tags.count')).toBe(2);
});

it('rejects two records with a procedure of the same name', () => {
  expect(() => defineContract(testCallers, notes, tags, { ...tags })).toThrow(
    'Two procedures have the name "tags.count".',
  );
});
