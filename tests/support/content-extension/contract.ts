import * as v from 'valibot';

import { defineContract, query } from '../../../src/messaging/contract.ts';
import { counterContract } from '../counter-contract.ts';

/** The counter's contract, of which a content script may call one procedure. */
export const contentContract = defineContract({
  ...counterContract,
  'text.echo': query({
    callers: ['popup', 'options', 'content'],
    input: v.string(),
    output: v.string(),
    maxSize: 1_000,
  }),
});
