import * as v from 'valibot';

import { contentScript, defineCallers } from '../../../src/messaging/callers.ts';
import { defineContract, query } from '../../../src/messaging/contract.ts';
import type { Handlers } from '../../../src/messaging/server/background.ts';
import { counter, counterContract, counterHandlers, testCallers } from '../counter.ts';

export const contentCallers = defineCallers({
  ...testCallers,
  content: contentScript({ matches: ['http://127.0.0.1/*'] }),
});

/** The counter's contract with a content script as a third caller. */
export const contentContract = defineContract(contentCallers, {
  ...counterContract,
  'counter.watch': { ...counterContract['counter.watch'], callers: ['popup', 'options', 'content'] },
  'text.echo': query({
    callers: ['popup', 'options', 'content'],
    input: v.string(),
    output: v.string(),
  }),
  /** Waits until its caller aborts it. */
  'text.wait': query({ callers: ['content'], output: v.null() }),
});

export const contentHandlers: Handlers<typeof contentContract> = {
  ...counterHandlers,
  'counter.watch': ({ state }) => state.watch(counter),
  'text.echo': ({ input, caller }) => `${input.slice(0, 10)} from ${caller}`,
  'text.wait': ({ signal }) =>
    new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null))),
};
