import { CallError } from '../../src/messaging/wire/errors.ts';

/** Resolves with the `CallError` that a call ends in. Rejects if the call succeeds or ends in another error. */
export async function rejectionOf(call: Promise<unknown>): Promise<CallError> {
  const outcome = await call.then(
    (value) => new Error(`The call was answered with ${JSON.stringify(value)}.`),
    (error: unknown) => error,
  );
  if (outcome instanceof CallError) return outcome;
  throw outcome;
}

/** Resolves with the first value of a stream, and ends the stream. */
export async function first<T>(values: AsyncGenerator<T, void>): Promise<T | undefined> {
  for await (const value of values) return value;
  return undefined;
}

/** A promise that a test settles. It replaces `Promise.withResolvers`, which Node 20 does not have. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

export function createDeferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

export const never = (): Promise<never> => new Promise(() => {});

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
