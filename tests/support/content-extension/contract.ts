import * as v from 'valibot';

import { defineContract, query } from '../../../src/messaging/contract.ts';
import type { Handlers } from '../../../src/messaging/server/server.ts';
import { counterContract, counterHandlers } from '../counter.ts';

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

export const contentHandlers: Handlers<typeof contentContract> = {
  ...counterHandlers,
  'text.echo': ({ input, caller }) => `${input} from ${caller}`,
};
