import * as v from 'valibot';

import { defineContract, mutation, query } from '../../../src/messaging/contract.ts';
import { counterContract } from '../counter-contract.ts';

/** What the worker knows of its own life. */
const Facts = v.strictObject({
  /** Milliseconds since 1970: another one is another worker. */
  startedAt: v.number(),
  /** Calls that have reached a handler of the counter's or the ledger's. */
  handled: v.number(),
  /** Exceptions and rejections that nobody has caught. */
  uncaught: v.array(v.string()),
  /** What has been added to the prototype of all objects. */
  polluted: v.array(v.string()),
});

/** A list and, in a document of its own, how long it is: torn state shows as a difference. */
const Ledger = v.strictObject({ entries: v.array(v.string()), size: v.number() });

/** The counter, beside it a ledger that is two documents, and what the worker knows of itself. */
export const watchedContract = defineContract({
  ...counterContract,
  'worker.facts': query({ callers: ['popup', 'options'], output: Facts }),
  'ledger.append': mutation({ callers: ['options'], input: v.string(), output: v.number() }),
  'ledger.read': query({ callers: ['options'], output: Ledger }),
});
