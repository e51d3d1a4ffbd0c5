import type { Procedure } from './procedure.ts';
import { findFault } from './find-fault.ts';
import type { Json } from './json.ts';
import { validate } from './validate.ts';

/**
 * What leaves the worker: the handler's output as the procedure's schema reads it.
 *
 * @throws TypeError when the output breaks the contract, which is the worker's own mistake
 */
export async function readOutput({ output, maxBytes }: Procedure, returned: unknown): Promise<Json> {
  const result = await validate(output, returned);
  const fault = result.issues === undefined ? findFault(result.value, maxBytes) : result;
  if (result.issues === undefined && fault === undefined) return result.value as Json;

  throw new TypeError(`The handler's output breaks the contract: ${JSON.stringify(fault?.issues)}`);
}
