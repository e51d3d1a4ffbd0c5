import { CallError } from '../messaging/errors.ts';

/** What a client throws, which is a `CallError`; anything else is a fault of this page and thrown on. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  throw error;
}
