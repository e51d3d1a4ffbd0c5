import type { PageFunction } from './view.ts';

/** Goes in front of a function's source: tsx compiles with esbuild's `keepNames`, which calls this helper. */
export const nameHelper = 'const __name = (named) => named;';

/**
 * Source text that calls `run` with `args` in another JavaScript world; it evaluates to a promise of the
 * result as JSON text, for `pageResult`.
 */
export function pageSource<Args extends readonly unknown[], T>(
  run: PageFunction<Args, T>,
  args: Args,
): string {
  return `(async () => {
    ${nameHelper}
    return JSON.stringify({ result: await (${run.toString()})(...${JSON.stringify(args)}) });
  })()`;
}

/** The value inside what `pageSource` evaluated to. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as with `JSON.parse`, the caller says what it is
export function pageResult<T>(json: unknown): T {
  const { result } = JSON.parse(String(json)) as { result: T };
  return result;
}
