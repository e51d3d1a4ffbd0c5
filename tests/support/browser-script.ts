import { nameHelper } from '../../scripts/browsers/running-extension.ts';

/** Source of a script that calls a function with these arguments. The function must not refer to anything outside itself. */
export function browserScript<Args extends readonly unknown[]>(
  run: (...args: Args) => unknown,
  ...args: Args
): string {
  return `{ ${nameHelper} (${run.toString()})(...${JSON.stringify(args)}); }`;
}
