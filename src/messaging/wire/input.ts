import { CallError } from './errors.ts';
import { copyJson, type Json, type JsonError } from './json.ts';

/**
 * Copies the input of a call, because the call may be sent later, or again, after the caller has changed the original.
 *
 * @throws CallError `NOT_JSON` or `TOO_LARGE`
 */
export function copyInput(procedure: string, input: unknown): Json | undefined {
  try {
    return input === undefined ? undefined : copyJson(input);
  } catch (error) {
    throw new CallError(procedure, error as JsonError, 'not-sent');
  }
}
