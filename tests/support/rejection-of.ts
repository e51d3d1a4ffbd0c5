import { CallError } from '../../src/messaging/errors.ts';

/** The `CallError` that a call ends in. Rejects itself when the call succeeds or ends in anything else. */
export async function rejectionOf(call: Promise<unknown>): Promise<CallError> {
  const outcome = await call.then(
    (value) => new Error(`The call was answered with ${JSON.stringify(value)}.`),
    (error: unknown) => error,
  );
  if (outcome instanceof CallError) return outcome;
  throw outcome;
}
