import type { Abort } from './create-abort.ts';
import { Refusal } from './refusal.ts';

/** What `work` gives, or a rejection as soon as it is aborted: nobody waits for what nobody asks for any more. */
export async function unlessAborted<T>({ reason, aborted }: Abort, work: () => T | Promise<T>): Promise<T> {
  const working = reason() === undefined ? work() : undefined;
  const value = working instanceof Promise ? await Promise.race([working, aborted()]) : working;
  const code = reason();
  if (code !== undefined) throw new Refusal({ code });
  // Unless it was aborted, it was the work that came first.
  return value as T;
}
