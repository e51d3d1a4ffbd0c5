import * as v from 'valibot';

import { defineContract } from '../../../src/messaging/define-contract.ts';
import { query } from '../../../src/messaging/define-procedure.ts';
import { counterContract } from '../counter-contract.ts';

/** The counter's contract, of which a content script may call one procedure. */
export const contentContract = defineContract({
  ...counterContract,
  'text.echo': query({
    callers: ['popup', 'options', 'content'],
    input: v.string(),
    output: v.string(),
    maxBytes: 1_000,
  }),
});
