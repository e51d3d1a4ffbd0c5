import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import { copyJson } from './copy-json.ts';
import { findFault } from './find-fault.ts';
import type { Json } from './json.ts';
import { validate } from './validate.ts';

/**
 * What leaves the worker: a handler's output, or the data of a declared error, as its schema reads it.
 *
 * @throws TypeError when it breaks the contract, which is the worker's own mistake
 */
export async function readOutput(schema: Schema, maxBytes: number, returned: unknown): Promise<Json> {
  const result = await validate(schema, returned);
  const fault = result.issues === undefined ? findFault(result.value, maxBytes) : result;
  if (result.issues === undefined && fault === undefined) return copyJson(result.value as Json);

  throw new TypeError(`The handler's output breaks the contract: ${JSON.stringify(fault?.issues)}`);
}
