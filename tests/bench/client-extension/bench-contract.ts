import * as v from 'valibot';

import { query } from '../../../src/messaging/contract.ts';
import type { Json } from '../../../src/messaging/json.ts';
import { counterContract } from '../../support/counter.ts';

const AnyJson = v.custom<Json>(() => true);

/** The counter's contract, and an echo of anything: its schema costs nothing, so that the core alone is measured. */
export const benchContract = {
  ...counterContract,
  'any.echo': query({ callers: ['options'], input: AnyJson, output: AnyJson }),
};
