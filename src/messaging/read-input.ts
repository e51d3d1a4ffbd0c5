import { findFault } from './find-fault.ts';
import type { Procedure } from './procedure.ts';
import { Refusal } from './refusal.ts';
import { validate } from './validate.ts';

/**
 * What a handler is given: the caller's input as the procedure's schema reads it.
 *
 * @throws Refusal `NOT_JSON`, `TOO_LARGE` or `INVALID_INPUT`
 */
export async function readInput({ input: schema, maxBytes }: Procedure, input: unknown): Promise<unknown> {
  const fault = findFault(input, maxBytes);
  if (fault !== undefined) throw new Refusal(fault);

  if (schema === undefined) {
    if (input === undefined) return undefined;
    throw new Refusal({ code: 'INVALID_INPUT', issues: [{ path: '', message: 'No input is expected.' }] });
  }

  const result = await validate(schema, input);
  if (result.issues !== undefined) throw new Refusal({ code: 'INVALID_INPUT', issues: result.issues });
  return result.value;
}
